import { sql } from 'kysely';
import { currentClaims } from '../consolidation/current-claims.ts';
import { loadRecords, recordIdOf } from '../observations/source-records.ts';
import { batches, type Db } from '../storage/storage.ts';
import type { RecordEvidence } from '../vocabulary/evidence.ts';
import { dispositionOf, type LeftOutReason, reasonOf } from '../vocabulary/source-record.ts';
import { findGone } from './identity.ts';

/** Adds `gone`: the buildings that are retired, or merged into a retired one. Their records contribute nothing. */
function withGone(db: Db) {
  return db.withRecursive('gone', (query) =>
    query
      .selectFrom('building')
      .select('building.id')
      .where('building.state', '=', sql.lit('retired' as const))
      .union(
        query
          .selectFrom('building')
          .innerJoin('gone', 'gone.id', 'building.successor')
          .select('building.id')
          .where('building.state', '=', 'merged'),
      ),
  );
}

/** Counts the records that contribute nothing, by reason. */
export async function countLeftOut(
  db: Db,
  records: readonly number[],
): Promise<{ unmatched: number; ambiguous: number }> {
  const counts = { unmatched: 0, ambiguous: 0 };
  for (const batch of batches(records)) {
    const rows = await db.selectFrom('source_record').select(['reason', 'building']).where('id', 'in', batch).execute();
    const gone = await findGone(
      db,
      rows.flatMap(({ building }) => building ?? []),
    );
    for (const { reason, building } of rows) {
      if (reason === 'ambiguous') counts.ambiguous += 1;
      else if (reason !== null || (building !== null && gone.has(building))) counts.unmatched += 1;
    }
  }
  return counts;
}

/** REF-01: a record that said something once, and whose newest whole revision says nothing. */
export function isWithdrawn(evidence: RecordEvidence): boolean {
  const { statements } = evidence;
  if (statements.length < 2 || !statements.some(({ whole }) => whole)) return false;
  const { claims, geometry, venues, observations } = currentClaims(evidence);
  if (claims.length > 0 || geometry !== null || venues.length > 0) return false;
  return observations > 0 || statements.some((each) => each.geometry !== null || each.venues.length > 0);
}

interface LeftOut {
  source: string;
  sourceRecordId: string;
  reason: LeftOutReason;
  claimed: number;
  file: string;
  line: number;
}

const ROWS_AT_ONCE = 1_000;

/** CON-09, REF-02: the records that contribute nothing, and where each was last read. */
export async function* listLeftOut(db: Db, source: string | undefined): AsyncGenerator<LeftOut> {
  for (let after = 0; ; ) {
    const rows = await findCandidates(db, source, after);
    const evidence = await loadRecords(
      db,
      rows.map(({ id }) => id),
    );
    for (const { state, area, version, gone, reason, ...row } of rows) {
      const stated = evidence.get(row.id);
      const disposition = dispositionOf({
        reason,
        building: state === null || version === null ? null : { state, area, version },
        isGone: gone !== null,
        isWithdrawn: stated !== undefined && isWithdrawn(stated),
      });
      const why = reasonOf(disposition);
      if (why !== null) yield { ...row, sourceRecordId: recordIdOf(row.key), reason: why };
    }
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows[rows.length - 1]?.id ?? after;
  }
}

/** CON-12: as the look-up, the first building that inherits from a complex, published ones first. */
const FIRST_INHERITING = sql<number | null>`(select h.id from lent l join building h on h.id = l.building
  where l.record = r.id order by case when h.area is null then 1 else 0 end, h.id limit 1)`;

/** Records that matching left out, whose building is not published, or that have more than one statement. */
function findCandidates(db: Db, source: string | undefined, after: number) {
  let query = withGone(db)
    .selectFrom('source_record as r')
    .leftJoin('building as b', (join) => join.on('b.id', '=', (eb) => eb.fn.coalesce('r.building', FIRST_INHERITING)))
    .leftJoin('gone as g', 'g.id', 'b.id')
    .innerJoin('statement as s', (join) =>
      join.on('s.id', '=', (eb) =>
        eb
          .selectFrom('statement as t')
          .select((e) => e.fn.max('t.id').as('id'))
          .whereRef('t.record', '=', 'r.id'),
      ),
    )
    .innerJoin('ingest as i', 'i.id', 's.ingest')
    .select(['r.id', 'r.key', 'r.source', 'r.reason', 'r.claimed', 'b.state', 'b.area', 'b.version'])
    .select(['g.id as gone', 'i.file', 's.line'])
    .where('r.id', '>', after)
    .where((eb) =>
      eb.or([
        eb('r.reason', 'is not', null),
        eb('g.id', 'is not', null),
        eb.and([eb('b.state', '=', 'live'), eb('b.area', 'is', null), eb('b.version', '>', 0)]),
        eb.exists(
          eb
            .selectFrom('statement as t')
            .select('t.id')
            .whereRef('t.record', '=', 'r.id')
            .whereRef('t.id', '<', 's.id'),
        ),
      ]),
    )
    .orderBy('r.id')
    .limit(ROWS_AT_ONCE);
  if (source !== undefined) query = query.where('r.source', '=', source);
  return query.execute();
}
