import { BrokenFile } from '../files/broken-file.ts';
import { unpacked } from '../files/unpack/unpack.ts';
import type { Report } from '../pipeline/context.ts';
import type { Audited } from './audit.ts';
import { findPieces } from './cut/find-pieces.ts';
import type { Wanted } from './cut/piece.ts';
import { ArchivedInput } from './open-archived.ts';

/** Finds the raw bytes of values in the archive; each archived file is opened once, and each file in it read once. */
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
  const say = (fault: string) => {
    for (const each of values) if (each.pieces.length === 0) each.fault = fault;
  };
  try {
    const file = await input.find(origin.source, origin.file);
    if (!file.ok) return say(file.failure);
    const wanted = new Map(values.map((each) => [wantedOf(each), each]));
    for (const [key, pieces] of await findPieces(origin.source, unpacked(file.value), [...wanted.keys()])) {
      wanted.get(key)?.pieces.push(...pieces);
    }
    say(`the record is not found at ${origin.file}:${origin.line}`);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    say(`the file in the archive cannot be read: ${error.message}`);
  }
}

const OUTLINES: ReadonlySet<string> = new Set(['footprint', 'footprintM2']);

const SIZES: ReadonlySet<string> = new Set(['heightM', 'floorsAbove', 'floorsBelow']);

function wantedOf({ value, origin }: Audited): Wanted {
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
