import type { Db } from '../../storage/storage.ts';
import type { AreaLevel } from '../../storage/tables.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { type AreaGeometry, measure } from '../../vocabulary/geometry.ts';

const CHUNK = 500;
const PARENT_LEVEL: Record<AreaLevel, AreaLevel | undefined> = {
  prefecture: undefined,
  ward: 'prefecture',
  machiAza: 'ward',
};

/** VRF-04: the tree of areas: the level of each parent, every slug, and the box of every boundary. */
export async function* checkAreas(db: Db): AsyncGenerator<Difference> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('area as a')
      .leftJoin('area as p', 'p.code', 'a.parent')
      .leftJoin('area_slug as s', (join) =>
        join.on((eb) => eb('s.parent', '=', eb.fn.coalesce('a.parent', eb.val('')))).onRef('s.slug', '=', 'a.slug'),
      )
      .select(['a.code', 'a.level', 'a.parent', 'p.level as parentLevel', 's.code as slugged'])
      .select(['a.boundary', 'a.west', 'a.south', 'a.east', 'a.north'])
      .where('a.code', '>', after)
      .orderBy('a.code')
      .limit(CHUNK)
      .execute();
    for (const { code, level, parentLevel, slugged, boundary, ...box } of rows) {
      if ((parentLevel ?? undefined) !== PARENT_LEVEL[level]) {
        yield { kind: 'unresolved', table: 'area', row: code, detail: 'the area that it is in', remedy: null };
      }
      if (slugged !== code) {
        const isFree = slugged === null;
        yield {
          kind: isFree ? 'missing' : 'differs',
          table: 'area_slug',
          row: code,
          detail: isFree ? null : 'it belongs to another area',
          remedy: isFree ? { by: 'drawing' } : null,
        };
      }
      const wrong = faultInBoundary(boundary, box);
      if (wrong !== undefined) yield { ...wrong, table: 'area', row: code };
    }
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.code ?? after;
  }
}

interface Box {
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
}

function faultInBoundary(
  boundary: string | null,
  { west, south, east, north }: Box,
): Pick<Difference, 'kind' | 'detail' | 'remedy'> | undefined {
  try {
    const expected = boundary === null ? [null, null, null, null] : boxOfBoundary(boundary);
    if ([west, south, east, north].every((side, i) => side === expected[i])) return undefined;
    return { kind: 'differs', detail: 'the box of its boundary', remedy: { by: 'drawing' } };
  } catch (error) {
    return { kind: 'unreadable', detail: `its boundary: ${describeDamage(error)}`, remedy: null };
  }
}

/** The box of a stored boundary. */
export function boxOfBoundary(boundary: string): readonly number[] {
  return measure(JSON.parse(boundary) as AreaGeometry).bbox;
}
