import { expect, it } from 'vitest';
import { applyCommand } from '../../src/reit/life/commands.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { tatemono } from '../support/command.ts';
import { onBothEngines } from '../support/engines.ts';
import { building, id } from '../support/records.ts';
import { bundleFor, openReitPlace } from '../support/reit-place.ts';

onBothEngines('concurrent commands', (fresh) => {
  it('REIT-09 two activations of one property leave exactly one accepted', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { id: publication } = await place.compose(bundleFor(id(1), 'A-01', { ownership: [], ...label(i) }));
      ids.push(publication);
      for (const review of ['data', 'match']) {
        await place.reit('review', review, publication, '--pass', '--by', 'alice', '--note', 'x');
      }
    }
    await place.reit('permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', 'x', '--by', 'carol');
    // Each has its own connections, and none has the write lock that an ingest holds.
    const storages = ids.map(() => openStorage(database.url, () => {}));
    const at = '2026-03-01T00:00:00Z';
    const outcomes = await Promise.all(
      ids.map((publication, i) =>
        storages[i]?.transaction((tx) =>
          applyCommand(tx, publication, ({ predecessors }) => ({
            ...{ type: 'activate', id: publication, by: 'bob', at },
            predecessors: predecessors.map((other) => other.id),
          })),
        ),
      ),
    );
    await Promise.all(storages.map((storage) => storage.close()));
    expect(outcomes.every((outcome) => outcome?.ok)).toBe(true);
    const states = await Promise.all(ids.map((publication) => place.stateOf(publication)));
    expect(states.filter((state) => state === 'accepted')).toHaveLength(1);
    expect(states.filter((state) => state === 'withdrawn')).toHaveLength(5);
    expect(await place.servedAnywhere()).toEqual([ids[states.indexOf('accepted')]]);
    await place.close();
  });

  it('REIT-09 one publication activated by two processes is activated once', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const { id: publication } = await place.compose(bundleFor(id(1)));
    for (const review of ['data', 'match']) {
      await place.reit('review', review, publication, '--pass', '--by', 'alice', '--note', 'x');
    }
    await place.reit('permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', 'x', '--by', 'carol');
    const real = { cwd: database.dir, env: place.env };
    const ended = await Promise.all(
      ['bob', 'dave'].map((by) => tatemono(real, 'reit', 'activate', publication, '--by', by)),
    );
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(ended.map(({ stderr }) => stderr).join('')).toContain('it is already accepted');
    const { stdout } = await place.reit('status', publication);
    expect(stdout.match(/activated by/g)).toHaveLength(1);
    await place.close();
  });

  it('REIT-10 a command does not wait for an ingest, and an activation sees the current building', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const { id: publication } = await place.compose(bundleFor(id(1)));
    await place.accept(publication);
    const release = await place.context.storage.lockWriter(() => {}, 1_000);
    expect(await place.reit('withdraw', publication, '--by', 'dave', '--reason', 'x')).toMatchObject({ code: 0 });
    await release();
    const next = await place.compose(bundleFor(id(1), 'A-01', { transactions: [] }));
    const moves = Array.from({ length: 6 }, (_, i) =>
      building(
        1,
        { floorsAbove: 20 + i },
        { retrievedAt: `2026-05-0${i + 1}T00:00:00Z`, rawPayloadRef: `sha256:${i}` },
      ),
    );
    for (const move of moves) {
      for (const review of ['data', 'match']) {
        await place.reit('review', review, next.id, '--pass', '--by', 'alice', '--note', 'x');
      }
      // Whichever comes first, only a match reviewed for the current building is served.
      await Promise.all([place.ingest([move]), place.reit('activate', next.id, '--by', 'bob')]);
      expect(await place.servedAnywhere()).toEqual([]);
    }
    await place.close();
  });
});

/** Bundle parts that differ only in their period label. */
function label(i: number): Record<string, unknown> {
  const period = {
    id: 'p21',
    ordinal: 21 + i,
    labelJa: `第${21 + i}期`,
    startDate: '2025-04-01',
    endDate: '2025-09-30',
  };
  return { periods: [{ ...period, days: 183 }], transactions: [] };
}
