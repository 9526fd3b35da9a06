/** By preference, where the client has none: of a record, zstd takes a third of the time of br for 5 % more bytes. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The encoding the client likes best of those we have; undefined for the bytes as they are. They are also the answer to
 * a client that refuses everything: a readable answer is better than a 406.
 */
export function negotiateEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === '') return undefined;
  const weights = readWeights(header);
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  let best: Encoding | undefined;
  // The bytes as they are come first only where the client says so.
  let most = weights.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const weight = weightOf(encoding);
    if (weight > most || (weight === most && weight > 0 && best === undefined)) {
      best = encoding;
      most = weight;
    }
  }
  return best;
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const value = weight === undefined ? 1 : /^[01](\.\d{0,3})?$/.test(weight) ? Math.min(1, Number(weight)) : 0;
    weights.set(name === 'x-gzip' ? 'gzip' : name, value);
  }
  return weights;
}
