import { append, findStatements, findUnplaced } from '../observations/source-records.ts';
import { decodeBody } from '../observations/statement-codec.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, markStale } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import { centroidOf } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';
import { matchRecord, type Subject } from './match-record.ts';

/** Gives a building to records that could not be placed, now that there are more areas. */
export async function placeRecords(tx: Tx, areas: Areas): Promise<void> {
  for (const record of await findUnplaced(tx)) {
    for (const { retrieved_at, raw_payload_ref, body } of await findStatements(tx.db, [record.id])) {
      const { area, geometry } = decodeBody(retrieved_at, raw_payload_ref, body);
      const point = geometry === null ? null : centroidOf(geometry);
      const subject: Subject = { building: null, source: record.source as Source, area, point };
      const match = await matchRecord(tx, areas, subject, [record], () => false);
      if (match.building === null) continue;
      await createBuildings(tx, [match.building]);
      await append(tx, [], [{ ...record, building: match.building, reason: null }], []);
      await markStale(tx, [match.building]);
      break;
    }
  }
}
