import { append, findStatements, findUnplaced, recordIdOf } from '../observations/source-records.ts';
import { decodeBody } from '../observations/statement-codec.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, markStale } from '../registry/buildings.ts';
import type { RecordEntry } from '../sources/records/parse-record-line.ts';
import type { Tx } from '../storage/storage.ts';
import type { Source } from '../vocabulary/sources.ts';
import { matchRecord } from './match-record.ts';

/** Gives a building to records that could not be placed, now that there are more areas. */
export async function placeRecords(tx: Tx, areas: Areas): Promise<void> {
  for (const record of await findUnplaced(tx)) {
    for (const { retrieved_at, raw_payload_ref, body } of await findStatements(tx, [record.id])) {
      const entry: RecordEntry = {
        kind: 'record',
        source: record.source as Source,
        sourceRecordId: recordIdOf(record.key),
        building: null,
        statement: decodeBody(retrieved_at, raw_payload_ref, body),
      };
      const match = await matchRecord(tx, areas, entry, record, () => false);
      if (match.building === null) continue;
      await createBuildings(tx, [match.building]);
      await append(tx, [], [{ ...record, building: match.building, reason: null }], []);
      await markStale(tx, [match.building]);
      break;
    }
  }
}
