import type { Db } from '../storage/storage.ts';

/** The OpenStreetMap IDs of the bundled sample, far above the IDs in use: `way/9000000013001` is the first of prefecture 13. */
const SAMPLE_PREFECTURES = [13, 14, 23, 26, 27];
const MAX_PER_PREFECTURE = 99;
const SAMPLE_KEYS = SAMPLE_PREFECTURES.flatMap((prefecture) =>
  Array.from(
    { length: MAX_PER_PREFECTURE },
    (_, i) => `osm:way/90000000${prefecture}${String(i + 1).padStart(3, '0')}`,
  ),
);

/** UI-10: whether a building of the bundled sample is published. */
export async function holdsSample(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('source_record as r')
    .innerJoin('building as b', 'b.id', 'r.building')
    .select('b.id')
    .where('r.key', 'in', SAMPLE_KEYS)
    .where('b.state', '=', 'live')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
