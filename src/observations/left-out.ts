import { batches, type Db } from '../storage/storage.ts';
import { recordIdOf } from './source-records.ts';

/** Adds `gone`: the buildings that are retired, or merged into a retired one. Their records contribute nothing. */
function withGone(db: Db) {
  return db.withRecursive('gone', (query) =>
    query
      .selectFrom('building')
      .select('building.id')
      .where('building.state', '=', 'retired')
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
    const rows = await withGone(db)
      .selectFrom('source_record as r')
      .leftJoin('gone as g', 'g.id', 'r.building')
      .select(['r.reason', 'g.id as gone', (eb) => eb.fn.countAll().as('count')])
      .where('r.id', 'in', batch)
      .groupBy(['r.reason', 'g.id'])
      .execute();
    for (const { reason, gone, count } of rows) {
      if (reason === 'ambiguous') counts.ambiguous += Number(count);
      else if (reason !== null || gone !== null) counts.unmatched += Number(count);
    }
  }
  return counts;
}

interface LeftOut {
  source: string;
  sourceRecordId: string;
  reason: string;
  claimed: number;
  file: string;
  line: number;
}

/** Records that contribute nothing, and where each was last read (CON-09). */
export async function* listLeftOut(db: Db, source: string | undefined): AsyncGenerator<LeftOut> {
  for (let after = 0; ; ) {
    let query = withGone(db)
      .selectFrom('source_record as r')
      .leftJoin('building as b', 'b.id', 'r.building')
      .leftJoin('gone as g', 'g.id', 'r.building')
      .innerJoin('statement as s', (join) =>
        join.on('s.id', '=', (eb) =>
          eb
            .selectFrom('statement as t')
            .select((e) => e.fn.max('t.id').as('id'))
            .whereRef('t.record', '=', 'r.id'),
        ),
      )
      .innerJoin('ingest as i', 'i.id', 's.ingest')
      .select(['r.id', 'r.key', 'r.source', 'r.reason', 'r.claimed', 'g.id as gone', 'i.file', 's.line'])
      .where('r.id', '>', after)
      .where((eb) =>
        eb.or([
          eb('r.reason', 'is not', null),
          eb('g.id', 'is not', null),
          eb.and([eb('b.state', '=', 'live'), eb('b.area', 'is', null), eb('b.version', '>', 0)]),
        ]),
      )
      .orderBy('r.id')
      .limit(1_000);
    if (source !== undefined) query = query.where('r.source', '=', source);
    const rows = await query.execute();
    for (const row of rows) {
      const reason = row.reason ?? (row.gone === null ? 'unplaced' : 'retired');
      yield { ...row, sourceRecordId: recordIdOf(row.key), reason };
    }
    if (rows.length < 1_000) return;
    after = rows[rows.length - 1]?.id ?? after;
  }
}
