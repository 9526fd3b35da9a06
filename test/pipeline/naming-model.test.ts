import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { contentOf, partitionOf } from '../support/matched.ts';
import { AREAS, building, id, type Json, record, writeRecords } from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';
import { expectVerified } from '../support/verified.ts';

/**
 * One line of a record: the building that it names, when it was fetched, and one value. No two fetches are equal, because
 * an unchanged value keeps the retrievedAt that was published first, which depends on the order of commands.
 */
interface NamingLine {
  source: string;
  key: string;
  building: number | null;
  month: number;
  payload: string;
  value: number;
}

const REGISTERS = ['jreit', 'mankan'];
const EXISTING = [1, 2, 3];
const ABSENT = 9;

const anyLine: fc.Arbitrary<NamingLine> = fc.record({
  source: fc.constantFrom('jreit', 'mankan', 'wikidata', 'nominatim', 'plateau'),
  key: fc.constantFrom('a', 'b'),
  building: fc.constantFrom(null, null, 1, 2, 3, ABSENT),
  month: fc.integer({ min: 1, max: 4 }),
  payload: fc.constantFrom('sha256:aa', 'sha256:bb'),
  value: fc.integer({ min: 1, max: 3 }),
});

const toLine = ({ source, key, building: named, month, payload, value }: NamingLine): Json =>
  record(
    source,
    key,
    REGISTERS.includes(source)
      ? { unitCount: month * 10 + value }
      : source === 'nominatim'
        ? { postcode: `100-00${month}${value}` }
        : { floorsAbove: month * 10 + value },
    {
      retrievedAt: `2026-0${month}-01T00:00:00Z`,
      rawPayloadRef: payload,
      ...(named === null ? {} : { building: id(named) }),
    },
  );

interface Expected {
  /** The records of each building. */
  buildings: Map<number, Set<string>>;
  leftOut: string[];
}

/** Applies the rules of matching (decisions.md) to all lines at once; no line has a location or an address to match by. */
function decideNaively(lines: readonly NamingLine[]): Expected {
  const buildings = new Map<number, Set<string>>(EXISTING.map((number) => [number, new Set([`osm:way/${number}`])]));
  const leftOut: string[] = [];
  const byRecord = Map.groupBy(lines, ({ source, key }) => `${source}:${key}`);
  // A plateau record creates the building that it names.
  for (const { source, building: named } of lines) {
    if (source === 'plateau' && named !== null && !buildings.has(named)) buildings.set(named, new Set());
  }
  for (const [key, recordLines] of byRecord) {
    const [{ source }] = recordLines as [NamingLine];
    const naming = recordLines.filter((line) => line.building !== null);
    const fetchOf = ({ month, payload }: NamingLine) => `${month} ${payload}`;
    const latest = naming.map(fetchOf).sort().at(-1);
    const counting = REGISTERS.includes(source) ? naming.filter((line) => fetchOf(line) === latest) : naming;
    const names = [...new Set(counting.map((line) => line.building as number))];
    if (REGISTERS.includes(source) && names.length > 1) {
      leftOut.push(`${key} ambiguous`);
      continue;
    }
    for (const name of names) {
      if (buildings.has(name)) buildings.get(name)?.add(key);
      else leftOut.push(`${key} unmatched`);
    }
    const hasUnnamed = recordLines.some((line) => line.building === null);
    if (names.length === 0) leftOut.push(`${key} ${source === 'plateau' ? 'unplaced' : 'unmatched'}`);
    else if (names.length > 1 && hasUnnamed) leftOut.push(`${key} ambiguous`);
  }
  return { buildings, leftOut: leftOut.sort() };
}

onBothEngines('lines with or without a named building', (fresh, engine) => {
  const settle = async (files: readonly NamingLine[][]) => {
    const database = await fresh();
    const context = await openContext(database);
    const { storage } = context;
    try {
      const ingest = async (lines: Json[]) => {
        const file = writeRecords(database.dir, lines);
        expect((await ingestFiles(context, 'records', [file])).get(file)?.rejected).toBe(0);
      };
      await ingest([...AREAS, ...EXISTING.map((number) => building(number))]);
      for (const lines of files) await ingest(lines.map(toLine));
      const { buildings, leftOut } = decideNaively(files.flat());
      expect((await partitionOf(storage)).leftOut).toEqual(leftOut);
      for (const [number, keys] of buildings) {
        const page = await pageOf(storage, id(number));
        const found = page?.sources.map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`) ?? [];
        // Building 9 has no location, so it is not published.
        expect(found.sort()).toEqual(number === ABSENT ? [] : [...keys].sort());
      }
      const before = await registryState(storage);
      await ingest(files.flat().map(toLine).reverse());
      expect(await registryState(storage)).toBe(before);
      await expectVerified(context);
      return await contentOf(storage);
    } finally {
      await storage.close();
    }
  };

  it('CON-09 CON-17 never fail, and the records of each building follow from the set of lines, whatever their order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyLine, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (files, at) => {
          const all = files.flat();
          const turned = [...all.slice(at % all.length), ...all.slice(0, at % all.length)].reverse();
          expect(await settle([turned])).toEqual(await settle(files));
        },
      ),
      { numRuns: Number(process.env.NAMINGS ?? (engine === 'sqlite' ? 12 : 3)) },
    ));
});
