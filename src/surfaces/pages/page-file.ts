import { extname } from 'node:path';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';

/** Caching of a file whose name changes with its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A static file, read once at startup. */
export interface PageFile extends FinishedResponse {
  /** Contains the tag of the content. */
  name: string;
  type: string;
}

export function makePageFile(name: string, type: string, content: string | Buffer): PageFile {
  const body = Buffer.from(content as string);
  const tag = tagOf(body);
  const extension = extname(name);
  return {
    name: `${name.slice(0, name.length - extension.length)}-${tag}${extension}`,
    type: `${type}; charset=utf-8`,
    etag: `"${tag}"`,
    body,
  };
}
