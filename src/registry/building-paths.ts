import { isAmong, listParameter, type Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import {
  PATHS_PER_READ,
  type PathPartition,
  type PathRange,
  type PublishedPath,
  yieldToRequests,
} from './published-paths.ts';

/** Buildings by stretches of their IDs: nobody counts them, and each stays in its part for ever. */
export const buildingPaths: PathPartition<AssetKey> = {
  async parts(reads, most) {
    const parts: PathRange[] = [];
    for (let from = 0; ; ) {
      const [first] = await reads.all<{ id: AssetKey }>(
        'select id from building where id >= ? and area is not null order by id limit 1',
        [from],
      );
      if (first === undefined) return parts;
      const number = Math.floor(first.id / most);
      from = (number + 1) * most;
      const [newest] = await reads.all<{ latest: string }>(
        'select max(recorded_at) as latest from building where id >= ? and id < ? and area is not null',
        [first.id, from],
      );
      parts.push({ number, latestRecordedAt: newest?.latest as string });
      await yieldToRequests();
    }
  },

  async bounds(_reads, most, number) {
    return [number * most, (number + 1) * most];
  },

  async *paths(reads, from, to) {
    const areas = new Map<string, string>();
    for (let next = from; ; ) {
      const rows = await reads.all<BuildingRow>(
        `select id, area, recorded_at as "recordedAt" from building
          where id >= ? and id < ? and area is not null order by id limit ${PATHS_PER_READ}`,
        [next, to],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      await learnAreas(
        reads,
        areas,
        rows.map(({ area }) => area),
      );
      yield rows.map(({ id, area, recordedAt }): PublishedPath => {
        return { path: `${areas.get(area)}/${formatAssetId(id)}`, recordedAt };
      });
      await yieldToRequests();
      next = last.id + 1;
    }
  },
};

interface BuildingRow {
  id: AssetKey;
  area: string;
  recordedAt: string;
}

interface AreaRow {
  code: string;
  prefecture: string;
  ward: string;
  slug: string;
}

/** Buildings with IDs that follow each other stand close together, so that there are few areas to ask for. */
async function learnAreas(reads: Reads, known: Map<string, string>, codes: readonly string[]): Promise<void> {
  const unknown = [...new Set(codes)].filter((code) => !known.has(code));
  if (unknown.length === 0) return;
  const rows = await reads.all<AreaRow>(
    `select a.code, p.slug as prefecture, w.slug as ward, a.slug from area a
      join area w on w.code = a.parent join area p on p.code = w.parent where ${isAmong(reads, 'a.code')}`,
    [listParameter(reads, unknown)],
  );
  for (const { code, prefecture, ward, slug } of rows) known.set(code, `/japan/${prefecture}/${ward}/${slug}`);
}
