import type { FastifyRequest } from 'fastify';

/** The query of a request as a form would send it. Whatever is wrong with it is read as far as it can be. */
export function readParameters({ raw }: FastifyRequest): URLSearchParams {
  const target = raw.url ?? '';
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}

const MARKDOWN = '.md';

/** The last part of a path without the ending by which Markdown is asked for (MD-01). */
export function splitMarkdownSuffix(last: string): { name: string; isMarkdown: boolean } {
  return last.endsWith(MARKDOWN)
    ? { name: last.slice(0, -MARKDOWN.length), isMarkdown: true }
    : { name: last, isMarkdown: false };
}
