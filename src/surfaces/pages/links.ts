/** An address of a source as a link, where it leads to a web site or to a page of this service; undefined for what does not. */
export function safeLink(address: string): string | undefined {
  if (/^(?:\/japan|https?:\/\/[\w.-]+)\/[\w./-]*$/.test(address)) return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** No longer than `most`, with a sign that there was more. */
export function shorten(text: string, most: number): string {
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
