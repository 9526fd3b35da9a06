import { BrokenFile } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { unpacked } from '../files/unpack.ts';
import { type Archived, openCopy } from '../observations/archive.ts';
import { adapterOf, type IngestSource } from '../pipeline/adapters.ts';
import type { Report } from '../pipeline/context.ts';
import { isZip } from '../pipeline/list-files.ts';
import { type Opened, openFiles } from '../pipeline/open-files.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import type { Audited } from './audit.ts';
import { findOsm } from './cut/find-osm.ts';
import { findBuildingElements, findCsvRows, findEntities, findLines, findReplies } from './cut/find-records.ts';
import { findHtmlRows, findSheetRows } from './cut/find-table-rows.ts';
import type { RawPieces, RecordQuery } from './cut/piece.ts';

/** Finds the raw bytes of values in the archive (AUD-02). Each archived file is opened once, each file in it read once. */
export async function readRaw(archiveDir: string, values: readonly Audited[], report: Report): Promise<void> {
  const byInput = Map.groupBy(values, ({ origin }) => origin?.sha256);
  let done = 0;
  for (const [sha256, inside] of byInput) {
    report.progress(done, values.length);
    done += inside.length;
    if (sha256 === undefined) continue;
    const input = await ArchivedInput.open(archiveDir, sha256);
    if (!input.ok) {
      for (const each of inside) each.fault = input.failure;
      continue;
    }
    try {
      for (const some of Map.groupBy(inside, ({ origin }) => origin?.file).values()) await readFile(input.value, some);
    } finally {
      input.value.close();
    }
  }
}

async function readFile(input: ArchivedInput, values: readonly Audited[]): Promise<void> {
  const origin = values[0]?.origin;
  if (origin === undefined) return;
  const setFault = (fault: string) => {
    for (const each of values) if (each.pieces.length === 0) each.fault = fault;
  };
  try {
    const file = await input.find(origin.source, origin.file);
    if (!file.ok) return setFault(file.failure);
    const wanted = new Map(values.map((each) => [wantedOf(each), each]));
    for (const [key, pieces] of await findPieces(origin.source, unpacked(file.value), [...wanted.keys()])) {
      wanted.get(key)?.pieces.push(...pieces);
    }
    setFault(`record not found at ${origin.file}:${origin.line}`);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    setFault(`archived file cannot be read: ${error.message}`);
  }
}

const OUTLINES: ReadonlySet<string> = new Set(['footprint', 'footprintM2']);

const SIZES: ReadonlySet<string> = new Set(['heightM', 'floorsAbove', 'floorsBelow']);

function wantedOf({ value, origin }: Audited): RecordQuery {
  const name = origin?.statement.observations.find(({ field }) => field === 'nameJa')?.value;
  return {
    source: value.provenance.source,
    id: value.provenance.sourceRecordId,
    line: origin?.line ?? 0,
    name: name === undefined ? undefined : String(name),
    venues: value.kind === 'venues' ? value.needles : [],
    outline: OUTLINES.has(value.kind),
    size: SIZES.has(value.kind) ? value.needles[0] : undefined,
  };
}

type Finder = (file: SourceFile, wanted: readonly RecordQuery[]) => Promise<RawPieces>;

/** Finders of raw records by source and file name; the first match is used. */
const FINDERS: Readonly<Record<string, readonly [name: RegExp, find: Finder][]>> = {
  records: [[/./, findLines]],
  osm: [[/./, findOsm]],
  plateau: [[/./, findBuildingElements]],
  wikidata: [[/./, findEntities]],
  nominatim: [[/./, findReplies]],
  edinet: [[/./, findHtmlRows]],
  jreit: [
    [/\.xlsx$/i, findSheetRows],
    [/./, findCsvRows],
  ],
};
const OF_TABLES: Finder = findCsvRows;

/** The raw bytes of records of one ingested file. */
function findPieces(source: string, file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const [, find] = FINDERS[source]?.find(([name]) => name.test(file.name)) ?? [/./, OF_TABLES];
  return find(file, wanted);
}

/** An archived file, whose content is read by the names of the ingest. */
export class ArchivedInput {
  readonly #copy: Archived;
  readonly #opened = new Map<string, Opened>();

  private constructor(copy: Archived) {
    this.#copy = copy;
  }

  static async open(archiveDir: string, sha256: string): Promise<Result<ArchivedInput, string>> {
    const copy = await openCopy(archiveDir, sha256);
    return copy.ok ? ok(new ArchivedInput(copy.value)) : copy;
  }

  /** `city.zip/udx/bldg/1.gml` is inside the archived zip; a folder may also be named like a zip. */
  async find(source: string, name: string): Promise<Result<SourceFile, string>> {
    const parts = name.split('/');
    const outer = parts.map((_, i) => parts.slice(0, i + 1).join('/')).filter((path) => isZip(path) && path !== name);
    const rules = adapterOf(source as IngestSource);
    const faults: string[] = [];
    for (const path of [...outer, name]) {
      const opened = this.#opened.get(path) ?? (await openFiles([{ ...this.#copy, root: path, name: path }], rules));
      this.#opened.set(path, opened);
      const found = opened.files.find((file) => file.name === name);
      if (found !== undefined) return ok(found);
      faults.push(...opened.broken.map(({ reason }) => reason));
    }
    return fail(faults[0] ?? 'not found in the archived file');
  }

  close(): void {
    for (const opened of this.#opened.values()) opened.close();
  }
}
