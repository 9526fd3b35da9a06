import { describe, expect, it } from 'vitest';
import { openRegistry, type PathPart, type PathQuestions, type PublishedPath } from '../../src/registry/registry.ts';
import { onBothEngines } from '../support/engines.ts';
import { areasOf, naiveSummary } from '../support/naive-areas.ts';
import { AREAS, building, id, MARUNOUCHI, square } from '../support/records.ts';
import { openServedRegistry, recordedAt } from '../support/served-registry.ts';
import { variedRegistry } from '../support/varied-registry.ts';

interface ReadPart extends PathPart {
  tag: string;
  paths: PublishedPath[];
}

async function readPart(
  questions: PathQuestions,
  most: number,
  number: number,
): Promise<Omit<ReadPart, 'latestRecordedAt'> | undefined> {
  const found = await questions.read(most, number);
  if (!found.ok) throw new Error(found.failure.kind);
  const list = found.value;
  if (list === undefined) return undefined;
  const paths = (await Array.fromAsync(list.paths)).flat();
  list.release();
  return { number, tag: list.tag, paths };
}

async function readParts(questions: PathQuestions, most: number): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for (const { number, latestRecordedAt } of await questions.list(most)) {
    const part = await readPart(questions, most, number);
    if (part === undefined) throw new Error(`part ${number} is listed and has nothing`);
    parts.push({ ...part, latestRecordedAt });
  }
  return parts;
}

const byPath = (a: PublishedPath, b: PublishedPath) => (a.path < b.path ? -1 : 1);

function expectParts(parts: readonly ReadPart[], most: number, expected: readonly PublishedPath[]): void {
  expect(parts.map(({ number }) => number)).toEqual(parts.map(({ number }) => number).toSorted((a, b) => a - b));
  for (const { paths, latestRecordedAt } of parts) {
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.length).toBeLessThanOrEqual(most);
    expect(latestRecordedAt).toBe(
      paths
        .map((path) => path.recordedAt)
        .sort()
        .at(-1),
    );
  }
  expect(parts.flatMap(({ paths }) => paths).toSorted(byPath)).toEqual(expected.toSorted(byPath));
}

onBothEngines('the paths of all pages', (fresh) => {
  it('PAG-08 exactly the hubs and published buildings are listed, each in one part', async () => {
    const served = await openServedRegistry(await fresh());
    const { paths } = openRegistry(served.context.storage);
    const { ids, stages } = variedRegistry(5);
    for (const [i, { run }] of stages.entries()) {
      await run(served);
      const pages = (await served.readAll(ids)).map(({ page }) => page);
      const hubs = areasOf(pages).map(({ level, code }) => {
        const summary = naiveSummary(pages, level, code);
        return { path: summary?.area.path as string, recordedAt: summary?.latestRecordedAt as string };
      });
      const buildings = pages.map((page) => ({ path: page.path, recordedAt: recordedAt(page) }));
      for (const most of [41 + i, 50_000]) {
        expectParts(await readParts(paths.hubs, most), most, hubs);
        expectParts(await readParts(paths.buildings, most), most, buildings);
      }
    }
    await served.close();
  });

  describe('of a few buildings', () => {
    it('PAG-08 a building stays in its part whatever else is published, and unchanged parts keep their tag', async () => {
      const served = await openServedRegistry(await fresh());
      const { buildings, hubs } = openRegistry(served.context.storage).paths;
      expect(await buildings.list(10)).toEqual([]);
      expect(await hubs.list(10)).toEqual([]);
      expect(await readPart(buildings, 10, 0)).toBeUndefined();
      expect(await readPart(hubs, 10, 0)).toBeUndefined();
      await served.ingest([...AREAS, building(3), building(12), building(9)]);
      const before = await readParts(buildings, 10);
      expect(before.map(({ number }) => number)).toEqual([130_000_000, 130_000_001]);
      expect(before.map(({ paths }) => paths.map(({ path }) => path.split('/').at(-1)))).toEqual([
        [id(3), id(9)],
        [id(12)],
      ]);
      await served.ingest([building(1), building(99_999_999, {}, { geometry: square(MARUNOUCHI) })]);
      const after = await readParts(buildings, 10);
      expect(after.map(({ number }) => number)).toEqual([130_000_000, 130_000_001, 139_999_999]);
      expect(after[0]?.tag).not.toBe(before[0]?.tag);
      expect(after[1]).toEqual(before[1]);
      for (const questions of [buildings, hubs]) {
        const one = await readParts(questions, 1);
        expect(one.map(({ paths }) => paths.length)).toEqual(one.map(() => 1));
        expect(one.flatMap(({ paths }) => paths)).toEqual(
          (await readParts(questions, 10)).flatMap(({ paths }) => paths),
        );
      }
      for (const number of [0, 129_999_999, 130_000_002, 999_999_999]) {
        expect(await readPart(buildings, 10, number)).toBeUndefined();
      }
      expect(await readPart(hubs, 10, 1)).toBeUndefined();
      // A new slug moves pages without recording a version.
      await served.ingest([{ ...AREAS[1], slug: 'new-ku' }]);
      const moved = await readParts(buildings, 10);
      expect(moved[1]?.paths).toEqual([
        { ...after[1]?.paths[0], path: `/japan/tokyo/new-ku/marunouchi-1-chome/${id(12)}` },
      ]);
      expect(moved[1]?.tag).not.toBe(after[1]?.tag);
      await served.close();
    });

    it('PAG-08 reads above the limit wait for their turn, and a part is read in one snapshot', async () => {
      const served = await openServedRegistry(await fresh());
      const limits = { atOnce: 8, waiting: 100, waitMs: 600_000, stallMs: 60_000 };
      const { buildings } = openRegistry(served.context.storage, undefined, {
        paths: limits,
        portfolios: limits,
      }).paths;
      await served.ingest([...AREAS, building(1), building(2)]);
      const found = await buildings.read(50_000, 26_000);
      const list = found.ok ? found.value : undefined;
      await served.ingest([building(4)]);
      expect((await Array.fromAsync(list?.paths ?? [])).flat()).toHaveLength(2);
      list?.release();
      const parts = await Promise.all(Array.from({ length: 40 }, () => readPart(buildings, 50_000, 26_000)));
      for (const part of parts) expect(part?.paths).toHaveLength(3);
      await served.close();
    });
  });
});
