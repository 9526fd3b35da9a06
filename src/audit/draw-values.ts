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
  /** A prefix of area codes. */
  area?: string | undefined;
}

export interface ValueSample {
  values: PublishedValue[];
  /** How many published buildings were read. */
  looked: number;
  published: number;
}

/** How many values are read for each value drawn. */
const POOL = 8;
const PORTION = 400;

/**
 * Draws published values at random (AUD-01). Buildings are read in random order until they have several times the requested
 * number of values, and the sample is drawn from these. So every value is equally likely, without reading every building.
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

/** Random numbers from a seed, so that a sample can be repeated. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** An integer from 0 to below a limit. With 52 bits of a hash, the bias of the remainder is negligible. */
  below(limit: number): number {
    this.#count += 1;
    return Number.parseInt(hash('sha256', `${this.#count} ${this.#seed}`, 'hex').slice(0, 13), 16) % limit;
  }
}

/** The integers from 0 to below a limit, each once, in random order. Only numbers already yielded take memory. */
export function* shuffled(limit: number, random: Random): Generator<number> {
  const moved = new Map<number, number>();
  for (let left = limit; left > 0; left--) {
    const at = random.below(left);
    yield moved.get(at) ?? at;
    moved.set(at, moved.get(left - 1) ?? left - 1);
    moved.delete(left - 1);
  }
}
