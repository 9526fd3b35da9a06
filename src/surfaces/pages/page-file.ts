import { extname } from 'node:path';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';

/** For a file whose name changes with its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A file that stays the same while the service runs. */
export interface PageFile extends FinishedResponse {
  /** With the tag of its content. */
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
