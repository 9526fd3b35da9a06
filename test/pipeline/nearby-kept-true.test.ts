import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { onBothEngines } from '../support/engines.ts';
import { buildingsIn, expectNearbyTrue, pagesOf } from '../support/matched.ts';
import { HERE, inTown, later, osm, plateau, type Rect, shape, type Town } from '../support/matching-registry.ts';
import { Random } from '../support/random.ts';
import type { Json } from '../support/records.ts';
import { expectVerified } from '../support/verified.ts';

/** A footprint within some 700 m of the corner of four tiles. */
function anyRect(random: Random): Rect {
  const [x, y] = [random.below(1400) - 700, random.below(1400) - 700];
  return [x, y, x + 10, y + 10];
}

/** Changes a town at random, step by step. */
class Changes {
  readonly #random: Random;
  readonly #town: Town;
  readonly #known: { source: 'osm' | 'plateau'; key: string; rect: Rect; revision: number }[] = [];
  readonly #merged: string[] = [];

  constructor(random: Random, town: Town) {
    this.#random = random;
    this.#town = town;
  }

  async step(): Promise<string> {
    const random = this.#random;
    const kinds = ['add', 'move', 'move', 'rename', 'merge', 'unmerge', 'retire', 'area'] as const;
    const kind = this.#known.length < 12 ? 'add' : random.pick(kinds);
    const ids = [...(await buildingsIn(this.#town.storage)).keys()];
    switch (kind) {
      case 'add':
        await this.#town.ingest(...random.some(8, () => this.#add(), 1));
        break;
      case 'move':
      case 'rename':
        await this.#town.ingest(...random.some(3, () => this.#revise(kind === 'move'), 1));
        break;
      case 'merge': {
        const [loser, survivor] = [random.pick(ids), random.pick(ids)];
        if (loser === survivor) break;
        await mergeBuildings(this.#town.context, loser, survivor, null);
        this.#merged.push(loser);
        break;
      }
      case 'unmerge': {
        const loser = this.#merged.pop();
        if (loser !== undefined) await unmergeBuilding(this.#town.context, loser, null);
        break;
      }
      case 'retire':
        if (this.#merged.length === 0) await retireBuilding(this.#town.context, random.pick(ids), undefined, null);
        break;
      case 'area':
        await this.#town.ingest({ ...HERE[2], nameJa: `丸の内${1 + random.below(9)}丁目` });
        break;
    }
    return kind;
  }

  #add(): Json {
    const random = this.#random;
    const near = this.#known.length > 0 && random.chance(0.3) ? random.pick(this.#known) : undefined;
    const source = near === undefined || near.source === 'plateau' ? 'osm' : 'plateau';
    const record = { source, key: `k${this.#known.length}`, rect: near?.rect ?? anyRect(random), revision: 1 } as const;
    this.#known.push({ ...record });
    return this.#lineOf(record);
  }

  #revise(moves: boolean): Json {
    const record = this.#random.pick(this.#known);
    record.revision += 1;
    if (moves) record.rect = this.#random.chance(0.3) ? this.#random.pick(this.#known).rect : anyRect(this.#random);
    return this.#lineOf(record);
  }

  #lineOf({
    source,
    key,
    rect,
    revision,
  }: {
    source: 'osm' | 'plateau';
    key: string;
    rect: Rect;
    revision: number;
  }): Json {
    const fields = { nameJa: `第${this.#random.below(50)}ビル`, assetTypes: this.#random.pick(['office', 'hotel']) };
    const more = {
      retrievedAt: `2026-01-01T00:00:${String(revision).padStart(2, '0')}Z`,
      rawPayloadRef: `sha256:${revision}`,
    };
    return (source === 'osm' ? osm : plateau)(key, shape(rect), fields, { ...later(1), ...more });
  }
}

onBothEngines('nearby', (fresh, engine) => {
  it('VRF-12 stays correct after any change, as everything else does', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) =>
        inTown(await fresh(), async (town) => {
          await town.ingest(...HERE);
          const changes = new Changes(new Random(seed), town);
          for (let i = 0; i < 14; i++) {
            await changes.step();
            await expectNearbyTrue(town.storage);
            await expectVerified(town.context);
          }
          expect((await pagesOf(town.storage)).length).toBeGreaterThan(2);
        }),
      ),
      { numRuns: engine === 'sqlite' ? 4 : 1 },
    ));
});
