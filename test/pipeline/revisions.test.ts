import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import type { Statement } from '../../src/vocabulary/evidence.ts';
import { areasOf, eligibleIn, faultsIn, historyOf, isSame, valuesFor } from '../consolidation/naive-revisions.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { osmXml, squareXml } from '../support/osm-xml.ts';
import { Random } from '../support/random.ts';
import { AREAS, building, id, type Json, square, writeRecords } from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';

const [FIRST, SECOND, THIRD] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'] as const;

/** What a series of commands stores: a command whose content is stored already, of that time or later, adds nothing. */
function keptAfter(commands: readonly Statement[][]): Statement[] {
  const kept: Statement[] = [];
  for (const lines of commands) {
    const before = [...kept];
    const isKnown = ({ retrievedAt, ...content }: Statement) =>
      before.some(
        ({ retrievedAt: known, ...other }) => isSame(other, content) && Date.parse(known) >= Date.parse(retrievedAt),
      );
    kept.push(...lines.filter((line) => !isKnown(line)));
  }
  return kept;
}

/** The same instant with the offset of Japan. */
function inJapan(instant: string): string {
  const [, , fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(instant) ?? [];
  const local = new Date(Date.parse(`${instant.slice(0, 19)}Z`) + 9 * 3_600_000).toISOString();
  return `${local.slice(0, 19)}${fraction}+09:00`;
}

function toLine(number: number, statement: Statement, random: Random): Json {
  const { complex: _, observations, venues, area, geometry, retrievedAt, ...head } = statement;
  return {
    ...{ kind: 'record', source: 'osm', sourceRecordId: `way/${number}`, building: id(number), ...head },
    retrievedAt: random.next() < 0.3 ? inJapan(retrievedAt) : retrievedAt,
    observations: observations.map(({ field, value }) => ({ field, value })),
    venues: venues.map(({ nameJa, category }) => ({ nameJa, category })),
    ...(area === null ? {} : { area }),
    ...(geometry === null ? {} : { geometry }),
  };
}

onBothEngines('revisions', (fresh) => {
  const inRegistry = async (
    work: (ingest: (...files: Json[][]) => Promise<Json>, context: Context, dir: string) => Promise<void>,
  ) => {
    const database = await fresh();
    const context = await openContext(database);
    try {
      await work(
        async (...files) => {
          const paths = files.map((lines) => writeRecords(database.dir, lines));
          const [counts] = (await ingestFiles(context, 'records', paths)).values();
          return counts as unknown as Json;
        },
        context,
        database.dir,
      );
    } finally {
      await context.storage.close();
    }
  };
  const named = (nameJa: string, retrievedAt: string, more: Json = {}) =>
    building(1, { nameJa }, { retrievedAt, rawPayloadRef: 'p', ...more });

  it('CON-01 a repeated reference: A, then B, then A again, each published alone with its version', () =>
    inRegistry(async (ingest, { storage }) => {
      const seen: unknown[] = [];
      await ingest(AREAS);
      for (const [value, moment] of [
        ['A', FIRST],
        ['B', SECOND],
        ['A', THIRD],
      ] as const) {
        expect(await ingest([named(value, moment)])).toMatchObject({ read: 1, unchanged: 0 });
        const page = await pageOf(storage, id(1));
        expect(page?.fields.nameJa).toMatchObject({ value, conflict: null, provenance: { retrievedAt: moment } });
        seen.push([page?.history[0]?.changedFields, page?.counters.observations]);
      }
      expect(seen).toEqual([
        [['nameJa', 'assetTypes', 'geometry'], 1],
        [['nameJa'], 2],
        [['nameJa'], 2],
      ]);
    }));

  it('CON-04 an unchanged payload read again with an earlier retrievedAt does not move it back', () =>
    inRegistry(async (ingest, { storage }) => {
      await ingest(AREAS, [named('A', SECOND)]);
      const before = await registryState(storage);
      for (const moment of [FIRST, '2026-02-01T00:00:00.000Z', '2026-02-01T09:00:00+09:00']) {
        expect(await ingest([named('A', moment)])).toMatchObject({ read: 1, unchanged: 1 });
        expect(await registryState(storage)).toBe(before);
      }
      await ingest([named('A', THIRD)]);
      expect((await pageOf(storage, id(1)))?.fields.nameJa?.provenance.retrievedAt).toBe(SECOND);
    }));

  it('CON-17 inside one command the order of the fetches of a payload does not matter', () =>
    inRegistry(async (ingest, { storage }) => {
      const fetched = (number: number, retrievedAt: string) => building(number, {}, { retrievedAt });
      await ingest(
        [...AREAS, fetched(1, FIRST), fetched(2, SECOND), fetched(3, SECOND), fetched(3, FIRST)],
        [fetched(1, SECOND), fetched(2, FIRST)],
      );
      for (const number of [1, 2, 3]) {
        expect((await pageOf(storage, id(number)))?.fields.nameJa?.provenance.retrievedAt).toBe(FIRST);
      }
    }));

  it('CON-01 CON-02 CON-03 CON-04 random histories are published as a plain implementation of the rules gives them', async () => {
    const histories = fc.tuple(...Array.from({ length: 32 }, (_, i) => historyOf(i / 1000, 6)));
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(), fc.integer({ min: 1, max: 4 }), (all, seed, length) =>
        inRegistry(async (ingest, { storage }) => {
          const random = new Random(seed);
          const commands = Array.from({ length }, () => all.map((): Statement[] => []));
          all.forEach((lines, i) => {
            for (const line of lines) commands[Math.floor(random.next() * length)]?.[i]?.push(line);
          });
          await ingest(AREAS);
          for (const command of commands) {
            const lines = command.flatMap((statements, i) => statements.map((one) => toLine(i + 1, one, random)));
            const shuffled = random.shuffle(lines);
            const half = Math.floor(shuffled.length / 2);
            await ingest(shuffled.slice(0, half), shuffled.slice(half));
          }
          for (const [i] of all.entries()) {
            const kept = keptAfter(commands.map((command) => command[i] ?? []));
            const page = await pageOf(storage, id(i + 1));
            const areas = areasOf(kept);
            expect([kept, page?.location.machiAza.code]).toEqual([
              kept,
              areas.length === 0 ? undefined : expect.toBeOneOf(areas),
            ]);
            if (page !== undefined) expect([kept, faultsIn(page, kept)]).toEqual([kept, []]);
          }
        }),
      ),
      { numRuns: 2, endOnFailure: true },
    );
  });

  it('CON-01 CON-03 random editions of a file in random order end as a plain implementation of the rules gives them', async () => {
    // On a tie the greater reference wins, and the model does not know which hash is greater.
    const MOMENTS = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T00:00:00Z`);
    const WAYS = 16;
    const editions = fc.uniqueArray(
      fc.record({
        retrievedAt: fc.constantFrom(...MOMENTS),
        levels: fc.array(fc.constantFrom(3, 5), { minLength: WAYS, maxLength: WAYS }),
      }),
      { minLength: 4, maxLength: 5, selector: ({ retrievedAt }) => retrievedAt },
    );
    const osm = (levels: readonly number[]) =>
      osmXml(
        ...levels.map((level, i) =>
          squareXml({
            ...{ way: i + 1, west: 139.7 + i / 1000, south: 35.6, size: 0.0001 },
            tags: { building: 'office', 'building:levels': String(level) },
          }),
        ),
      );
    const boundary = square([139.7, 35.6], 0.5);
    await fc.assert(
      fc.asyncProperty(editions, (fetched) =>
        inRegistry(async (ingest, context, dir) => {
          await ingest([...AREAS.slice(0, 2), { ...AREAS[2], boundary }]);
          for (const [i, { retrievedAt, levels }] of fetched.entries()) {
            const file = join(dir, `edition-${i}.osm`);
            writeFileSync(file, osm(levels));
            await ingestFiles(context, 'osm', [file], { retrievedAt });
          }
          for (let number = 1; number <= WAYS; number++) {
            const page = await pageOf(context.storage, id(number));
            const way = Number(page?.sources[0]?.sourceRecordId.slice('way/'.length)) - 1;
            // The payload of an adapter's record is its content, so a level also determines the reference.
            const kept = keptAfter(
              fetched.map(({ retrievedAt, levels }) => [statementOf(Number(levels[way]), retrievedAt)]),
            );
            const [expected] = eligibleIn({ statements: kept }, valuesFor('floorsAbove'));
            const floors = page?.fields.floorsAbove;
            expect(floors?.conflict).toBeNull();
            expect([floors?.value, Date.parse(floors?.provenance.retrievedAt ?? '')]).toEqual([
              expected?.value,
              expected?.moment,
            ]);
          }
        }),
      ),
      { numRuns: 2, endOnFailure: true },
    );
  });
});

function statementOf(level: number, retrievedAt: string): Statement {
  return {
    ...{ sourceUrl: '', retrievedAt, rawPayloadRef: String(level), extractionMethod: 'osm-tag', whole: true },
    ...{ area: null, geometry: null, venues: [], complex: null },
    observations: [{ field: 'floorsAbove', value: level, unit: null, tier: 'free' }],
  };
}
