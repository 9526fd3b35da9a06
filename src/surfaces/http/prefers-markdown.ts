/** MD-01: whether a client would rather read Markdown than HTML. One that takes anything gets HTML. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // What every browser sends first.
  if (accept === undefined || !/markdown|\*/i.test(accept)) return false;
  const ranges = accept.split(',').map(readRange);
  const markdown = weigh(ranges, 'text/markdown');
  const html = weigh(ranges, 'text/html');
  if (markdown === undefined || markdown.quality === 0) return false;
  if (html === undefined || html.quality !== markdown.quality) return markdown.quality > (html?.quality ?? 0);
  // As good as each other: the one that is named more exactly, then the one that is named first.
  if (html.exactness !== markdown.exactness) return markdown.exactness > html.exactness;
  return markdown.exactness === EXACT && markdown.at < html.at;
}

interface Range {
  type: string;
  quality: number;
}

const EXACT = 2;

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = q === undefined ? 1 : /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : 0;
  return { type, quality };
}

/** What the most exact of the ranges that hold a type says of it. */
function weigh(ranges: readonly Range[], type: string) {
  const names = ['*/*', 'text/*', type];
  for (let exactness = EXACT; exactness >= 0; exactness--) {
    const at = ranges.findIndex((range) => range.type === names[exactness]);
    if (at !== -1) return { quality: (ranges[at] as Range).quality, exactness, at };
  }
  return undefined;
}
