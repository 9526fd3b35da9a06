import type { Reads } from '../storage/storage.ts';
import {
  PATHS_PER_READ,
  type PathPartition,
  type PathRange,
  type PublishedPath,
  yieldToRequests,
} from './published-paths.ts';

/** Letters come after the digits of a code in the order of every database. */
const END = 'z';

/**
 * Hubs by stretches of the codes of all areas that are known, published or not: their codes alone are in an index, and
 * a part changes its bounds only when areas come.
 */
export const hubPaths: PathPartition<string> = {
  async parts(reads, most) {
    const parts: PathRange[] = [];
    let from = await codeAfter(reads, '', 0);
    for (let number = 0; from !== undefined; number++) {
      const to: string | undefined = await codeAfter(reads, from, most);
      const [newest] = await reads.all<{ latest: string | null }>(
        'select max(latest_recorded_at) as latest from area_summary where area >= ? and area < ?',
        [from, to ?? END],
      );
      if (newest?.latest != null) parts.push({ number, latestRecordedAt: newest.latest });
      await yieldToRequests();
      from = to;
    }
    return parts;
  },

  async bounds(reads, most, number) {
    const from = await codeAfter(reads, '', number * most);
    return from === undefined ? undefined : [from, (await codeAfter(reads, from, most)) ?? END];
  },

  async *paths(reads, from, to) {
    for (let next = from; ; ) {
      const rows = await reads.all<HubRow>(
        `select s.area, s.latest_recorded_at as "recordedAt", a.slug, b.slug as "around", c.slug as "furtherOut"
          from area_summary s join area a on a.code = s.area
          left join area b on b.code = a.parent left join area c on c.code = b.parent
          where s.area >= ? and s.area < ? order by s.area limit ${PATHS_PER_READ}`,
        [next, to],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ recordedAt, slug, around, furtherOut }): PublishedPath => {
        const slugs = [furtherOut, around, slug].filter((part) => part !== null);
        return { path: `/japan/${slugs.join('/')}`, recordedAt };
      });
      await yieldToRequests();
      // No code of digits comes between.
      next = `${last.area}0`;
    }
  },
};

interface HubRow {
  area: string;
  recordedAt: string;
  slug: string;
  around: string | null;
  furtherOut: string | null;
}

/** The code that comes so many after a code or what would be one. */
async function codeAfter(reads: Reads, code: string, count: number): Promise<string | undefined> {
  const [row] = await reads.all<{ code: string }>(
    'select code from area where code >= ? order by code limit 1 offset ?',
    [code, count],
  );
  return row?.code;
}
