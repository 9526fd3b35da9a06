interface AcceptRange {
  /** In lower case, without parameters. */
  value: string;
  /** From 0 to 1; NaN if it is malformed. */
  quality: number;
}

/** The ranges of an Accept, Accept-Encoding or Accept-Language header (RFC 9110, 12.4), in the order of the header. */
function readAccept(header: string): AcceptRange[] {
  return header
    .toLowerCase()
    .split(',')
    .map((range) => {
      if (!range.includes(';')) return { value: range.trim(), quality: 1 };
      const [value = '', ...parameters] = range.split(';').map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { value, quality: q === undefined ? 1 : /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : Number.NaN };
    });
}

/** Our preference among encodings that the client likes equally: for a record, zstd takes a third of the time of br for 5 % more bytes. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/**
 * The encoding that the client prefers; undefined for unencoded bytes. A client that refuses everything gets those too: a
 * readable response is better than a 406.
 */
export function negotiateEncoding(header: string | undefined): ContentEncoding | undefined {
  if (header === undefined || header === '') return undefined;
  const qualities = new Map<string, number>();
  for (const { value, quality } of readAccept(header)) {
    qualities.set(value === 'x-gzip' ? 'gzip' : value, quality || 0);
  }
  let best: ContentEncoding | undefined;
  // Unencoded bytes are preferred only if the client says so.
  let highest = qualities.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? qualities.get('*') ?? 0;
    if (quality > highest || (quality === highest && quality > 0 && best === undefined)) {
      best = encoding;
      highest = quality;
    }
  }
  return best;
}

/** MD-01: whether a client prefers Markdown to HTML. A client that accepts anything gets HTML. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Most browsers name neither, and the header need not be read.
  if (accept === undefined || !/markdown|\*/i.test(accept)) return false;
  const ranges = readAccept(accept);
  const markdown = matchRange(ranges, 'text/markdown');
  const html = matchRange(ranges, 'text/html');
  if (markdown === undefined || markdown.quality === 0) return false;
  if (html === undefined || html.quality !== markdown.quality) return markdown.quality > (html?.quality ?? 0);
  // Equal quality: the more specific range wins, then the first.
  if (html.specificity !== markdown.specificity) return markdown.specificity > html.specificity;
  return markdown.specificity === SPECIFIC && markdown.position < html.position;
}

const SPECIFIC = 2;

/** The most specific range that includes a media type. */
function matchRange(ranges: readonly AcceptRange[], type: string) {
  const values = ['*/*', 'text/*', type];
  for (let specificity = SPECIFIC; specificity >= 0; specificity--) {
    const position = ranges.findIndex(({ value }) => value === values[specificity]);
    if (position !== -1) return { quality: (ranges[position] as AcceptRange).quality || 0, specificity, position };
  }
  return undefined;
}

/** Whether a header names each of the media types itself; a wildcard is not enough. */
export function namesAll(accept: string | undefined, types: readonly string[]): boolean {
  const named = readAccept(accept ?? '').filter(({ quality }) => quality !== 0);
  return types.every((type) => named.some(({ value }) => value === type));
}

/** The language that the client prefers (RFC 9110, 12.5.4); the first one if it names none of them. */
export function negotiateLanguage<L extends string>(header: string | undefined, languages: readonly [L, ...L[]]): L {
  if (header === undefined || header === '') return languages[0];
  const ranges = readAccept(header);
  const qualityOf = (language: L) => {
    const own = ranges.filter(({ value }) => value === language || value.startsWith(`${language}-`));
    const named = own.length > 0 ? own : ranges.filter(({ value }) => value === '*');
    return Math.max(0, ...named.map(({ quality }) => quality || 0));
  };
  // On a tie the range that comes first in the header wins, then our own order.
  const positionOf = (language: L) => {
    const position = ranges.findIndex(({ value }) => value === language || value.startsWith(`${language}-`));
    return position === -1 ? ranges.length : position;
  };
  return languages.reduce((best, language) => {
    const difference = qualityOf(language) - qualityOf(best);
    const isPreferred =
      difference > 0 || (difference === 0 && qualityOf(best) > 0 && positionOf(language) < positionOf(best));
    return isPreferred ? language : best;
  });
}
