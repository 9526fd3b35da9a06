import type { FastifyRequest } from 'fastify';

/** The query parameters of a request. Malformed parts are skipped or read as far as possible. */
export function readParameters({ raw }: FastifyRequest): URLSearchParams {
  const target = raw.url ?? '';
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}

const MARKDOWN = '.md';

/** Removes the `.md` that requests the Markdown twin (MD-01) from the last segment of a path. */
export function splitMarkdownSuffix(segment: string): { name: string; isMarkdown: boolean } {
  return segment.endsWith(MARKDOWN)
    ? { name: segment.slice(0, -MARKDOWN.length), isMarkdown: true }
    : { name: segment, isMarkdown: false };
}
