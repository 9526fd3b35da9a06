import { BrokenFile } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Item } from '../adapter.ts';
import { greatestOf, joinOutlines, type TileBuilding } from './building.ts';

/** More than any building has branches: an ID shared by more buildings identifies none. */
const MAX_BRANCHES = 100;
/** How many branches are held at once. */
const MAX_WAITING = 20_000;

interface WaitingBranches {
  branches: TileBuilding[];
  /** How many are missing. */
  missing: number;
}

export interface IdentifiedBuilding {
  id: string;
  building: TileBuilding;
}

/** Joins the buildings that share a building ID, as soon as the last of them is read. */
export class BranchGatherer {
  private readonly repeated: ReadonlyMap<number, number>;
  private readonly give: (identified: IdentifiedBuilding) => void;
  private readonly report: (item: Item) => void;
  private readonly objects = new Set<number>();
  private readonly given = new Set<number>();
  private readonly waiting = new Map<string, WaitingBranches>();
  private held = 0;

  constructor(
    repeated: ReadonlyMap<number, number>,
    give: (identified: IdentifiedBuilding) => void,
    report: (item: Item) => void,
  ) {
    this.repeated = repeated;
    this.give = give;
    this.report = report;
  }

  add(building: TileBuilding): void {
    const { buildingId, gmlId, at } = building;
    const expected = buildingId === undefined ? 1 : (this.repeated.get(hashOf(buildingId)) ?? 1);
    const isShared = expected > MAX_BRANCHES && gmlId !== undefined;
    const id = isShared ? gmlId : (buildingId ?? gmlId);
    if (isShared) building.notes.push(`${expected} buildings share its building ID; the gml:id is used instead`);
    if (id === undefined) {
      const reason = 'neither a building ID nor a gml:id, so it cannot be identified again';
      this.report({ kind: 'rejected', at, record: null, reason });
      return;
    }
    const isRepeated = gmlId !== undefined && !this.isFirst(this.objects, `${gmlId}\n${buildingId ?? ''}`);
    if (isRepeated) this.report({ kind: 'note', at, record: id, reason: 'repeated building with the same gml:id' });
    if (id === buildingId && expected > 1) this.wait(id, expected, isRepeated ? undefined : building);
    else if (!isRepeated) this.passOn(id, building);
  }

  /** Releases the incomplete buildings at the end of the files. */
  end(): void {
    for (const id of this.waiting.keys()) this.release(id);
  }

  private wait(id: string, expected: number, building: TileBuilding | undefined): void {
    const waiting = this.waiting.get(id) ?? { branches: [], missing: expected };
    waiting.missing -= 1;
    if (building !== undefined) {
      waiting.branches.push(building);
      this.waiting.set(id, waiting);
      this.held += 1;
    }
    if (waiting.missing <= 0 || this.given.has(hashOf(id))) this.release(id);
    else if (this.held > MAX_WAITING) this.release(this.waiting.keys().next().value as string);
  }

  private release(id: string): void {
    const branches = this.waiting.get(id)?.branches ?? [];
    this.waiting.delete(id);
    this.held -= branches.length;
    if (branches.length > 0) this.passOn(id, joinBranches(branches));
  }

  private passOn(id: string, building: TileBuilding): void {
    if (this.isFirst(this.given, id)) this.give({ id, building });
    else {
      const reason = 'the ID came again after its record was made; give all files with this ID in one ingest, once';
      this.report({ kind: 'rejected', at: building.at, record: id, reason });
    }
  }

  private isFirst(set: Set<number>, text: string): boolean {
    const hash = hashOf(text);
    if (set.has(hash)) return false;
    set.add(hash);
    return true;
  }
}

/** Joins branches: all outlines, the greatest height and storeys, and other values of the first branch that has them. */
function joinBranches(branches: readonly TileBuilding[]): TileBuilding {
  const ordered = [...branches].sort((a, b) => order(a.branch, b.branch) || order(a.part, b.part));
  const [first] = ordered as [TileBuilding];
  if (ordered.length === 1) return first;
  const values = ordered.map((branch) => branch.values);
  const geometry = joinOutlines(ordered.flatMap((branch) => branch.geometry ?? []));
  const without = ordered.filter((branch) => branch.geometry === undefined).length;
  const notes = ordered.flatMap((branch) => branch.notes);
  if (geometry !== undefined && without > 0) notes.push(`${without} of ${ordered.length} branches have no footprint`);
  return {
    ...first,
    municipality: ordered.find(({ municipality }) => municipality !== undefined)?.municipality,
    geometry,
    fault: geometry === undefined ? ordered.find((branch) => branch.fault)?.fault : undefined,
    values: {
      nameJa: values.find(({ nameJa }) => nameJa !== undefined)?.nameJa,
      addressJa: values.find(({ addressJa }) => addressJa !== undefined)?.addressJa,
      assetTypes: values.find(({ assetTypes }) => assetTypes.length > 0)?.assetTypes ?? [],
      gfaM2: values.find(({ gfaM2 }) => gfaM2 !== undefined)?.gfaM2,
      floorsAbove: greatestOf(values.map(({ floorsAbove }) => floorsAbove)),
      floorsBelow: greatestOf(values.map(({ floorsBelow }) => floorsBelow)),
      heightM: greatestOf(values.map(({ heightM }) => heightM)),
      yearBuilt: values.find(({ yearBuilt }) => yearBuilt !== undefined)?.yearBuilt,
    },
    links: [...new Set(ordered.flatMap(({ links }) => links))],
    notes: [...new Set(notes)],
  };
}

function order(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0);
}

/** The text before an ID in i-UR 2.0 and later, and in 1.4 (in CityGML 2.0 and 3.0). */
const MARKS = [
  { mark: Buffer.from('buildingID'), id: /^buildingID\s*>\s*([^<\s][^<]{0,199})</ },
  { mark: Buffer.from('建物ID'), id: /^建物ID(?:["']|\s*<\/[^<>]{1,100})\s*>\s*<[^<>]{1,100}>\s*([^<\s][^<]{0,199})</ },
];
/** The greatest distance in bytes from a mark to the end of its ID. */
const REACH = 1_500;

/**
 * Counts the building IDs that occur more than once, by hash. Osaka gives every building a branch number although most have
 * one branch, so only this first pass shows which have to wait for others. It searches bytes without parsing, so it may
 * miss an ID; that ID is then rejected when it comes again.
 */
export async function countRepeatedIds(files: readonly SourceFile[]): Promise<ReadonlyMap<number, number>> {
  const once = new Set<number>();
  const repeated = new Map<number, number>();
  const count = (bytes: Buffer, end: number) => {
    for (const { mark, id } of MARKS) {
      for (let at = bytes.indexOf(mark); at >= 0 && at < end; at = bytes.indexOf(mark, at + mark.length)) {
        const found = id.exec(bytes.toString('utf8', at, at + REACH))?.[1];
        if (found === undefined) continue;
        const hash = hashOf(found.trim());
        if (once.has(hash)) repeated.set(hash, (repeated.get(hash) ?? 1) + 1);
        else once.add(hash);
      }
    }
  };
  for (const file of files) {
    let rest = Buffer.alloc(0);
    try {
      for await (const chunk of file.bytes()) {
        const bytes = Buffer.concat([rest, chunk]);
        const end = Math.max(0, bytes.length - REACH);
        count(bytes, end);
        rest = bytes.subarray(end);
      }
    } catch (error) {
      // Reading the buildings reports the broken file.
      if (!(error instanceof BrokenFile)) throw error;
    }
    count(rest, rest.length);
  }
  return repeated;
}

/** A 53-bit hash. A million texts have a collision about once in ten thousand ingests. */
export function hashOf(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a ^= a >>> 16;
  return (b >>> 0) * 0x200000 + ((a >>> 0) & 0x1fffff);
}
