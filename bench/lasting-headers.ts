/** Headers that node:http writes itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive']);

/** The other headers, as alternating names and values. */
export function lastingHeaders(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const [name, value] = [raw[i] as string, raw[i + 1] as string];
    if (!OWN_HEADERS.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}
