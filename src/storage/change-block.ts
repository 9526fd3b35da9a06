/** What happened to a building (LOG-01). Stored blocks depend on the order: a kind never changes its place. */
export const CHANGE_KINDS = ['created', 'updated', 'merged', 'unmerged', 'retired'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of a building, as the log has it. */
export interface LoggedChange {
  building: number;
  kind: ChangeKind;
  /** The version that is current after the change. */
  version: number;
  /** The machi-aza in which it is published after the change; null if it is not published. */
  area: string | null;
  /** The same before the change. */
  areaBefore: string | null;
  /** The identity event that a merge or retirement belongs to. */
  event: number | null;
}

const KIND_BITS = 0b111;
const HAS_VERSION = 0b1000;
const HAS_AREA = 0b1_0000;
const HAS_AREA_BEFORE = 0b10_0000;
const HAS_EVENT = 0b100_0000;

/**
 * The changes of one transaction as bytes: the areas, then of each change its kind, the distance of its building from the
 * one before, and what differs from a first version in the same area as the change before. A first load takes about three
 * bytes a building. Stored blocks depend on this form, and so does a migration: it never changes.
 */
export function encodeChanges(changes: readonly LoggedChange[]): Uint8Array {
  const areas = [...areasOf(changes)];
  const numberOf = new Map<string | null, number>([[null, 0], ...areas.map((code, i) => [code, i + 1] as const)]);
  const bytes: number[] = [];
  addNumber(bytes, areas.length);
  for (const code of areas) {
    addNumber(bytes, code.length);
    bytes.push(...Buffer.from(code, 'latin1'));
  }
  addNumber(bytes, changes.length);
  let [last, lastArea] = [0, null as string | null];
  for (const { building, kind, version, area, areaBefore, event } of changes) {
    const usualBefore = kind === 'created' ? null : area;
    addNumber(
      bytes,
      CHANGE_KINDS.indexOf(kind) |
        (version === 1 ? 0 : HAS_VERSION) |
        (area === lastArea ? 0 : HAS_AREA) |
        (areaBefore === usualBefore ? 0 : HAS_AREA_BEFORE) |
        (event === null ? 0 : HAS_EVENT),
    );
    addSigned(bytes, building - last);
    if (version !== 1) addNumber(bytes, version);
    if (area !== lastArea) addNumber(bytes, numberOf.get(area) as number);
    if (areaBefore !== usualBefore) addNumber(bytes, numberOf.get(areaBefore) as number);
    if (event !== null) addNumber(bytes, event);
    [last, lastArea] = [building, area];
  }
  return Uint8Array.from(bytes);
}

/** Throws if the bytes are damaged. */
export function decodeChanges(block: Uint8Array): LoggedChange[] {
  const bytes = new BlockReader(block);
  const areas: (string | null)[] = [null];
  for (let left = bytes.number(); left > 0; left--) areas.push(bytes.text(bytes.number()));
  const area = () => {
    const code = areas[bytes.number()];
    if (code === undefined) throw new Error('a change names an area that its block does not list');
    return code;
  };
  const changes: LoggedChange[] = [];
  let [last, lastArea] = [0, null as string | null];
  for (let left = bytes.number(); left > 0; left--) {
    const head = bytes.number();
    const kind = CHANGE_KINDS[head & KIND_BITS];
    if (kind === undefined) throw new Error('a change has an unknown kind');
    last += bytes.signed();
    const version = head & HAS_VERSION ? bytes.number() : 1;
    if (head & HAS_AREA) lastArea = area();
    const areaBefore = head & HAS_AREA_BEFORE ? area() : kind === 'created' ? null : lastArea;
    const event = head & HAS_EVENT ? bytes.number() : null;
    changes.push({ building: last, kind, version, area: lastArea, areaBefore, event });
  }
  if (!bytes.isAtEnd) throw new Error('a block of changes is longer than its changes');
  return changes;
}

/** The machi-aza that changes touch, before or after. */
export function areasOf(changes: readonly LoggedChange[]): Set<string> {
  const areas = new Set<string>();
  for (const { area, areaBefore } of changes) {
    if (area !== null) areas.add(area);
    if (areaBefore !== null) areas.add(areaBefore);
  }
  return areas;
}

/** Seven bits a byte, the lowest first. By division: asset keys have more than 32 bits. */
function addNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function addSigned(bytes: number[], value: number): void {
  addNumber(bytes, value < 0 ? -2 * value - 1 : 2 * value);
}

class BlockReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || scale > Number.MAX_SAFE_INTEGER) throw new Error('a block of changes is cut short');
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(length: number): string {
    if (this.#at + length > this.#bytes.length) throw new Error('a block of changes is cut short');
    this.#at += length;
    return Buffer.from(this.#bytes.subarray(this.#at - length, this.#at)).toString('latin1');
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
