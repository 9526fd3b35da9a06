import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { ingest as ingestFiles, republish } from '../../src/pipeline/run.ts';
import { anyTown, matchNaively, type Said, TOWN_AREAS, toLine } from '../support/any-town.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { contentOf, eventsIn, expectNearbyTrue, partitionOf } from '../support/matched.ts';
import { Random } from '../support/random.ts';
import { type Json, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { expectVerified } from '../support/verified.ts';

/** Distributes the lines of a town over several files and commands, by a seed. */
function split(town: readonly Said[], seed: number): Json[][][] {
  const random = new Random(seed);
  const commands: Json[][][] = Array.from({ length: 1 + random.below(5) }, () =>
    Array.from({ length: 1 + random.below(2) }, () => []),
  );
  for (const statement of town) {
    const file = random.pick(random.pick(commands));
    file.splice(random.below(file.length + 1), 0, toLine(statement));
  }
  random.pick(random.pick(commands)).push(...TOWN_AREAS);
  return commands;
}

onBothEngines('matching in any order', (fresh, engine) => {
  const numRuns = Number(process.env.TOWNS ?? (engine === 'sqlite' ? 7 : 2));

  const inRegistry = async <T>(work: (ingest: (files: Json[][]) => Promise<void>, context: Context) => Promise<T>) => {
    const database = await fresh();
    const context = await openContext(database);
    try {
      return await work(async (files) => {
        const written = files.map((lines) => writeRecords(database.dir, lines));
        for (const counts of (await ingestFiles(context, 'records', written)).values()) expect(counts.rejected).toBe(0);
      }, context);
    } finally {
      await context.storage.close();
    }
  };

  const expectSettled = (town: Said[], seed: number) =>
    inRegistry(async (ingest, context) => {
      const { storage } = context;
      const commands = split(town, seed);
      for (const files of commands) await ingest(files);
      expect(await partitionOf(storage)).toEqual(matchNaively(town));
      await expectNearbyTrue(storage);
      await expectVerified(context);

      const before = [await registryState(storage), await eventsIn(storage)];
      await ingest(commands.flat());
      expect([await registryState(storage), await eventsIn(storage)]).toEqual(before);
      await republish(context, true);
      expect([await registryState(storage), await eventsIn(storage)]).toEqual(before);
      return contentOf(storage);
    });

  for (const revised of [false, true]) {
    it(`a town ${revised ? 'that changes ' : ''}is matched by the rules, in any order of lines`, () =>
      fc.assert(
        fc.asyncProperty(anyTown(revised), fc.nat(), fc.nat(), async (town, seed, other) => {
          expect(await expectSettled(town, other)).toEqual(await expectSettled(town, seed));
        }),
        { numRuns, endOnFailure: true },
      ));
  }
});
