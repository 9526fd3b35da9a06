import { hash } from 'node:crypto';
import { buildingsByRank, countBuildingsByArea } from '../registry/buildings.ts';
import { findCurrentVersions } from '../registry/publish.ts';
import type { Db } from '../storage/storage.ts';
import type { Source } from '../vocabulary/sources.ts';
import { type AuditedField, type PublishedValue, publishedValues } from './published-values.ts';

export interface SampleRequest {
  count: number;
  seed: string;
  source?: Source | undefined;
  field?: AuditedField | undefined;
  /** The beginning of the code of an area. */
  area?: string | undefined;
}

export interface ValueSample {
  values: PublishedValue[];
  /** How many of the published buildings were looked at. */
  looked: number;
  published: number;
}

/** So many values are looked at for each that is drawn. */
const POOL = 8;
const PORTION = 400;

/**
 * Values that are published, drawn at random. Buildings are taken in random order, each with all its values, until there
 * are several times as many values as are asked for; of those every one is as likely as any other. So a building with
 * twice the values is drawn from twice as often, and few of a million buildings are read.
 */
export async function drawValues(db: Db, { count, seed, source, field, area }: SampleRequest): Promise<ValueSample> {
  const areas = await countBuildingsByArea(db, area);
  const published = areas.reduce((sum, each) => sum + each.count, 0);
  const random = new Random(seed);
  const places = shuffled(published, random);
  const pool: PublishedValue[] = [];
  let looked = 0;
  const isAsked = ({ kind, provenance }: PublishedValue) =>
    (source === undefined || provenance.source === source) && (field === undefined || kind === field);
  while (pool.length < count * POOL) {
    const some = [...take(places, PORTION)];
    if (some.length === 0) break;
    const ids = await buildingsByRank(db, areas, some);
    looked += ids.length;
    const versions = await findCurrentVersions(db, ids);
    for (const id of ids) {
      const canonical = versions.get(id)?.decode();
      if (canonical !== undefined) pool.push(...publishedValues(id, canonical).filter(isAsked));
    }
  }
  const picks = take(shuffled(pool.length, random), count);
  return { values: [...picks].map((at) => pool[at] as PublishedValue), looked, published };
}

function* take<T>(items: Generator<T>, count: number): Generator<T> {
  for (let i = 0; i < count; i++) {
    const { value, done } = items.next();
    if (done) return;
    yield value;
  }
}

/** Random numbers that a seed decides, so that anybody can draw the same sample again. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A whole number from 0 to below a limit. 52 bits of a hash: what the remainder favours is nothing. */
  below(limit: number): number {
    this.#count += 1;
    return Number.parseInt(hash('sha256', `${this.#count} ${this.#seed}`, 'hex').slice(0, 13), 16) % limit;
  }
}

/** The whole numbers from 0 to below a limit, each once, in random order; of those not yet taken nothing is held. */
export function* shuffled(limit: number, random: Random): Generator<number> {
  const moved = new Map<number, number>();
  for (let left = limit; left > 0; left--) {
    const at = random.below(left);
    yield moved.get(at) ?? at;
    moved.set(at, moved.get(left - 1) ?? left - 1);
    moved.delete(left - 1);
  }
}
