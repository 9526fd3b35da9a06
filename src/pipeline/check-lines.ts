import { linesOf, type Portion, splitPortions } from '../files/split-lines.ts';
import { readVerified } from '../files/verified-file.ts';
import { fetchTimesOf } from '../matching/locate-records.ts';
import { openCopy } from '../observations/archive.ts';
import { listIngestsOf } from '../observations/ingests.ts';
import { findStatementsByKey, findStatementsByLine, type KeyedStatement } from '../observations/source-records.ts';
import { decodeBody, hashOfLine, payloadRef } from '../observations/statement-codec.ts';
import { isBlank } from '../sources/records/read-line.ts';
import type { Db } from '../storage/storage.ts';
import type { Difference } from '../vocabulary/difference.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { claimOf } from './append-records.ts';
import { type PreparedRecord, prepareLine } from './prepare-items.ts';

/** Some lines of an archived file of the record format. */
export interface ArchivedLines {
  file: string;
  portion: Portion;
  /** Whether all its lines were read and none was rejected, so that each record must be stored. */
  isStored: boolean;
}

/** The lines of every archived file of the record format, each file once. Those that cannot be read are left out. */
export async function* archivedLines(db: Db, archiveDir: string): AsyncGenerator<ArchivedLines> {
  for (const [sha256, same] of Map.groupBy(await listIngestsOf(db, 'records'), ({ sha256 }) => sha256)) {
    const file = same[0]?.file ?? '';
    const isStored = same.some(({ counts }) => rejectedIn(counts) === 0);
    const copy = await openCopy(archiveDir, sha256);
    if (!copy.ok) continue;
    for await (const portion of splitPortions(readVerified(copy.value))) yield { file, portion, isStored };
  }
}

/** How many lines of a file were rejected; undefined if it was not read to its end. */
function rejectedIn(counts: string | null): unknown {
  if (counts === null) return undefined;
  try {
    return (JSON.parse(counts) as { rejected?: unknown }).rejected;
  } catch {
    // Then it is not known.
    return undefined;
  }
}

/** VRF-16: how the statements of some lines differ from what the lines say. */
export async function checkLines(db: Db, { file, portion, isStored }: ArchivedLines): Promise<Difference[]> {
  const records: PreparedRecord[] = [];
  for (const line of linesOf(portion)) {
    if (isBlank(line) || line.bytes === undefined) continue;
    const prepared = prepareLine(line, hashOfLine(line.bytes));
    if (prepared.kind === 'record') records.push(prepared);
  }
  const stored = await findStatementsByLine(
    db,
    records.map(({ hash }) => hash),
  );
  const found: Difference[] = [];
  const left: PreparedRecord[] = [];
  for (const record of records) {
    const statement = stored.get(record.hash);
    if (statement === undefined) {
      left.push(record);
      continue;
    }
    const wrong = differingParts(statement, record);
    if (wrong.length === 0) continue;
    found.push({
      kind: 'differs',
      table: 'statement',
      row: `${statement.id}, ${record.key}`,
      detail: `${wrong.join(', ')}, from line ${record.line} of ${file}`,
      remedy: null,
      ...(statement.building === null ? {} : { blocks: statement.building }),
    });
  }
  if (!isStored || left.length === 0) return found;
  const others = await findStatementsByKey(db, [...new Set(left.map(({ key }) => key))]);
  for (const record of left) {
    const known = others.get(record.key) ?? [];
    if (known.some((statement) => covers(statement, record))) continue;
    const building = known[0]?.building ?? record.building;
    found.push({
      kind: 'missing',
      table: 'statement',
      row: record.key,
      detail: `line ${record.line} of ${file}; ingest it again`,
      remedy: null,
      ...(building === null ? {} : { blocks: building }),
    });
  }
  return found;
}

function differingParts(statement: KeyedStatement, record: PreparedRecord): string[] {
  const wrong: string[] = [];
  if (statement.key !== record.key) wrong.push('its record');
  if (statement.claimed !== claimOf(record)) wrong.push('the building that it names');
  if (statement.retrieved_at !== record.retrievedAt) wrong.push('when it was fetched');
  if (!isSameContent(statement, record)) wrong.push('its content');
  return wrong;
}

/** Earlier versions stored some texts in another form, and both are read as the same. */
function isSameContent({ retrieved_at, payload, body }: KeyedStatement, record: PreparedRecord): boolean {
  try {
    if (payloadRef({ payload, body }) !== record.rawPayloadRef) return false;
    const read = (text: KeyedStatement['body']) => JSON.stringify(decodeBody(retrieved_at, payload, text));
    return read(body) === read(record.body);
  } catch {
    // Told as unreadable.
    return true;
  }
}

/** A line with the content of a stored statement is not stored, unless it was fetched later (CON-04). */
function covers(statement: KeyedStatement, record: PreparedRecord): boolean {
  if (statement.claimed !== claimOf(record) || !isSameContent(statement, record)) return false;
  return fetchTimesOf(statement).some((time) => instantSortKey(time) >= instantSortKey(record.retrievedAt));
}
