import { currentClaims } from '../consolidation/current-claims.ts';
import { recordIdOf, type SourceRecord, type StatementSummary } from '../observations/source-records.ts';
import { decodeBody } from '../observations/statement-codec.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import { centroidOf, type Geometry, type Position } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { tilesOf } from './read-portion.ts';

/** What of a record tells matching where to look. */
export interface Lie {
  geometry: Geometry | null;
  point: Position | null;
  tiles: number[];
  area: string | null;
  links: string[];
}

/** From everything that is kept of the record: its current revision counts (CON-01, CON-03). */
export function lieOf(record: Pick<SourceRecord, 'key' | 'source'>, said: readonly StatementSummary[]): Lie {
  const statements = said.flatMap((statement) => {
    const decoded = decodeBody(statement.retrieved_at, statement.raw_payload_ref, statement.body);
    const again = statement.seen?.split(' ') ?? [];
    return [decoded, ...again.map((retrievedAt) => ({ ...decoded, retrievedAt }))];
  });
  const current = currentClaims({
    source: record.source as Source,
    sourceRecordId: recordIdOf(record.key),
    statements,
  });
  const geometry = current.geometry?.geometry ?? null;
  const point = geometry === null ? null : centroidOf(geometry);
  const newest = statements.reduce<Statement | undefined>(
    (best, other) => (best === undefined || orderOf(other) > orderOf(best) ? other : best),
    undefined,
  );
  return {
    geometry,
    point,
    tiles: point === null ? [] : tilesOf(point, geometry),
    area: current.area?.area ?? null,
    links: newest?.links ?? [],
  };
}

function orderOf({ retrievedAt, rawPayloadRef }: Statement): string {
  return `${instantSortKey(retrievedAt)} ${rawPayloadRef}`;
}
