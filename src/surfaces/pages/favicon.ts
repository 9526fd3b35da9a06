import type { Finished } from '../../registry/registry.ts';
import type { Kind } from '../http/send-finished.ts';
import { drawIco, drawSvg } from './mark.ts';
import { makePageFile } from './page-file.ts';

const A_DAY = 'public, max-age=86400';

/** The icons of the service: drawn once, from one mark. */
export function favicons(): { path: string; kind: Kind; file: Finished }[] {
  return [
    {
      path: '/favicon.svg',
      kind: { type: 'image/svg+xml', caching: A_DAY },
      file: makePageFile('favicon.svg', 'image/svg+xml', drawSvg()),
    },
    {
      path: '/favicon.ico',
      kind: { type: 'image/x-icon', caching: A_DAY },
      file: makePageFile('favicon.ico', 'image/x-icon', drawIco()),
    },
  ];
}
