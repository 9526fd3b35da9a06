import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import type { AreaLevel } from '../../storage/tables.ts';
import { normaliseAreaName } from '../../vocabulary/area-names.ts';
import { AddressResolver, machiAzaStems, type NamedPlace, type ResolvedAddress } from '../address-resolver.ts';
import type { AddressReader } from '../register-rule.ts';

/** An address without its municipality that fits more of them than this is not compared. */
const MAX_WARDS = 100;
/** The machi-aza of so many wards are kept in memory, about 50 MB. */
const KEPT_WARDS = 1_000;
/** A change of the area tree is noticed after this time at the latest. */
const LONGEST_MS = 60_000;
const MAX_STEM = 40;

/** The area tree of a snapshot, kept until it may have changed. */
export class AddressFinders {
  #current: AddressFinder | undefined;
  #state = '';
  #readAt = 0;

  /** The tree for reads of one snapshot. Keep it for all of them. */
  async current(reads: Reads): Promise<AddressFinder> {
    const [row] = await reads.all(
      'select (select max(id) from ingest) as ingest, (select max(finished_at) from ingest) as finished',
      [],
    );
    const state = JSON.stringify(row);
    const isOld = performance.now() > this.#readAt + LONGEST_MS;
    if (this.#current === undefined || state !== this.#state || isOld || this.#current.wards > KEPT_WARDS) {
      this.#current = new AddressFinder(await readAreas(reads, "level in ('prefecture', 'ward')", []));
      this.#state = state;
      this.#readAt = performance.now();
    }
    return this.#current;
  }
}

/**
 * Reads addresses with the parser of ingest. The names of prefectures and wards are in memory, those of machi-aza are
 * read when an address names their ward.
 */
export class AddressFinder implements AddressReader {
  readonly #resolver: AddressResolver;
  readonly #prefectureOf: ReadonlyMap<string, string>;
  readonly #names = new Map<string, string>();
  readonly #known = new Set<string>();
  /** The wards that have a machi-aza of this name, read when an address without a ward is asked for. */
  #wardsByStem: Map<string, Set<string>> | undefined;

  constructor(upper: readonly NamedPlace[]) {
    this.#resolver = new AddressResolver(upper);
    this.#prefectureOf = new Map(upper.map(({ code, parent }) => [code, parent ?? code]));
  }

  /** How many wards it holds the machi-aza of. */
  get wards(): number {
    return this.#known.size;
  }

  /** Reads what `resolveAddress` needs for some addresses. */
  async prepare(reads: Reads, addresses: readonly string[]): Promise<void> {
    await this.#learn(
      reads,
      addresses.flatMap((address) => this.#resolver.wardsIn(address)),
    );
  }

  resolveAddress(address: string): ResolvedAddress | undefined {
    return this.#resolver.resolve(address);
  }

  get(code: string): { nameJa: string } | undefined {
    const nameJa = this.#names.get(code);
    return nameJa === undefined ? undefined : { nameJa };
  }

  /**
   * Every place that an address may name: one if it names its municipality, otherwise each machi-aza of Japan that fits
   * (丸の内1-9-2).
   */
  async placesOf(reads: Reads, address: string): Promise<ResolvedAddress[]> {
    await this.prepare(reads, [address]);
    if (this.#resolver.wardsIn(address).length > 0) {
      const resolved = this.resolveAddress(address);
      return resolved === undefined || resolved.machiAza === null ? [] : [resolved];
    }
    const { prefecture, rest } = this.#resolver.withoutWard(address);
    const wards = (await this.#wardsWith(reads, rest)).filter(
      (ward) => prefecture === undefined || this.#prefectureOf.get(ward) === prefecture,
    );
    if (wards.length > MAX_WARDS) return [];
    await this.#learn(reads, wards);
    return this.#resolver.resolveInWards(rest, wards);
  }

  async #wardsWith(reads: Reads, rest: string): Promise<string[]> {
    this.#wardsByStem ??= await readStems(reads);
    const text = normaliseAreaName(rest.slice(0, MAX_STEM));
    const found = new Set<string>();
    for (let end = text.length; end > 0; end--) {
      for (const ward of this.#wardsByStem.get(text.slice(0, end)) ?? []) found.add(ward);
    }
    return [...found].sort();
  }

  async #learn(reads: Reads, wards: readonly string[]): Promise<void> {
    const missing = [...new Set(wards)].filter((ward) => !this.#known.has(ward));
    if (missing.length === 0) return;
    const areas = await readAreas(reads, isAmong(reads, 'parent'), [listParameter(reads, missing)]);
    for (const { code, nameJa } of areas) this.#names.set(code, nameJa);
    for (const ward of missing) this.#known.add(ward);
    this.#resolver.add(areas);
  }
}

async function readAreas(reads: Reads, condition: string, parameters: readonly unknown[]): Promise<NamedPlace[]> {
  const rows = await reads.all<{ code: string; level: AreaLevel; parent: string | null; name: string }>(
    `select code, level, parent, name_ja as name from area where ${condition} order by code`,
    parameters,
  );
  return rows.map(({ name, ...area }) => ({ ...area, nameJa: name }));
}

async function readStems(reads: Reads): Promise<Map<string, Set<string>>> {
  const wards = new Map<string, Set<string>>();
  for (const { parent, nameJa } of await readAreas(reads, "level = 'machiAza'", [])) {
    for (const stem of machiAzaStems(nameJa)) {
      const known = wards.get(stem);
      if (known === undefined) wards.set(stem, new Set([parent as string]));
      else known.add(parent as string);
    }
  }
  return wards;
}
