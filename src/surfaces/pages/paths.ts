const MARKDOWN = '.md';

/** The last part of a path without the ending by which Markdown is asked for (MD-01). */
export function withoutSuffix(last: string): { name: string; isMarkdown: boolean } {
  return last.endsWith(MARKDOWN)
    ? { name: last.slice(0, -MARKDOWN.length), isMarkdown: true }
    : { name: last, isMarkdown: false };
}
