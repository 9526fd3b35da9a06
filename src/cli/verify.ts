import type { Command } from 'commander';
import { asWriter } from '../pipeline/context.ts';
import { findExisting } from '../registry/buildings.ts';
import type { Db } from '../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import { type Difference, VERIFIED_PARTS, type VerifiedPart } from '../vocabulary/difference.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { printable } from '../vocabulary/text.ts';
import { oneOf, readIdArgument } from './arguments.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

interface Options {
  only?: VerifiedPart[];
  building?: string;
  repair?: true;
  verbose?: true;
}

/** Of each table; a registry may have millions. */
const MAX_LINES = 100;
const MAX_DETAIL = 1_000;

const readPart = oneOf(VERIFIED_PARTS);

/** `verify`: whether everything stored is what the evidence gives (VRF-01). */
export function addVerifyCommand(program: Command, { print, warn, withContext }: Terminal): void {
  program
    .command('verify')
    .description('derive everything that is published again from the evidence, and compare it with what is stored')
    .option('--repair', 'publish again what differs')
    .option('--building <id>', 'only this building', readIdArgument)
    .option('--only <part>', `only this part; may be repeated: ${VERIFIED_PARTS.join(', ')}`, addPart)
    .option('--verbose', `list every difference, not only the first ${MAX_LINES} of each table`)
    .action(({ only, building, repair, verbose }: Options) =>
      withContext((context) =>
        asWriter(context, async () => {
          // Loaded only here: the other commands do not need it.
          const { verify } = await import('../verify/verify.ts');
          const { Repairs } = await import('../verify/repair.ts');
          if (building !== undefined && !(await isBuilding(context.storage.db, building))) {
            throw new FailureError({ kind: 'unknownBuilding' });
          }
          const options = {
            parts: only ?? VERIFIED_PARTS,
            building: building === undefined ? undefined : parseAssetId(building),
          };
          const limit = verbose ? Number.POSITIVE_INFINITY : MAX_LINES;
          const repairs = new Repairs();
          const first = new Listing(print, warn, limit);
          const counts = await verify(context, options, (difference) => {
            first.add(difference);
            repairs.add(difference);
          });
          first.end();
          const { buildings, sourceRecords, statements } = counts;
          const all = buildings.live + buildings.merged + buildings.retired;
          if (building === undefined) {
            print(`verified ${all} buildings from ${sourceRecords} source records in ${statements} statements`);
          }
          print(first.summary());
          if (!repair || first.count === 0) return first.count === 0 ? EXIT.done : EXIT.failed;
          await repairs.run(context);
          const second = new Listing(print, warn, limit);
          await verify(context, options, (difference) => second.add(difference));
          second.end();
          print(second.count === 0 ? 'repaired' : `not repaired: ${second.summary()}`);
          return second.count === 0 ? EXIT.done : EXIT.failed;
        }),
      ),
    );
}

async function isBuilding(db: Db, id: string): Promise<boolean> {
  const key = parseAssetId(id) as AssetKey;
  return (await findExisting(db, [key])).has(key);
}

function addPart(text: string, before: VerifiedPart[] | undefined): VerifiedPart[] {
  return [...(before ?? []), readPart(text)];
}

/** Prints differences as they are found, a bounded number of each table, and counts all. */
class Listing {
  readonly #print: (line: string) => void;
  readonly #warn: (line: string) => void;
  readonly #limit: number;
  readonly #counts = new Map<string, number>();
  readonly #notes = new Map<string, number>();
  count = 0;

  constructor(print: (line: string) => void, warn: (line: string) => void, limit: number) {
    this.#print = print;
    this.#warn = warn;
    this.#limit = limit;
  }

  add({ kind, table, row, detail }: Difference): void {
    const isNote = kind === 'note';
    const counts = isNote ? this.#notes : this.#counts;
    const count = (counts.get(table) ?? 0) + 1;
    counts.set(table, count);
    if (!isNote) this.count += 1;
    if (count > this.#limit) return;
    const words = [kind, table, printable(row, MAX_PATH), ...(detail === null ? [] : [printable(detail, MAX_DETAIL)])];
    (isNote ? this.#warn : this.#print)(words.join('\t'));
  }

  end(): void {
    for (const [table, count] of [...this.#counts, ...this.#notes]) {
      if (count <= this.#limit) continue;
      this.#warn(`${count - this.#limit} more of ${table} are only counted; run again with --verbose to list them all`);
    }
  }

  summary(): string {
    if (this.count === 0) return 'no differences';
    const tables = [...this.#counts].map(([table, count]) => `${count} in ${table}`);
    return `${this.count} difference${this.count === 1 ? '' : 's'}: ${tables.join(', ')}`;
  }
}
