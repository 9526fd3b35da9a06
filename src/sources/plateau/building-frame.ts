import type { AreaGeometry } from '../../vocabulary/geometry.ts';
import { readMunicipality } from '../../vocabulary/municipalities.ts';
import { hiddenIn } from '../../vocabulary/text.ts';
import { type BuildingValues, greatestOf, joinOutlines, type TileBuilding } from './building.ts';
import type { CodeLabels } from './code-lists.ts';
import { GENERIC_IDS, type Leaf, PRIVATE_NAME, REAL_ESTATE, SHAPES, type ShapeName } from './mapping.ts';
import type { ShapeOutcome } from './shape-reader.ts';
import {
  detach,
  type ReadValue,
  readFloorArea,
  readHeight,
  readRealEstateId,
  readStoreysAbove,
  readStoreysBelow,
  readWords,
  readYear,
} from './values.ts';

const MAX_USAGES = 20;
const MAX_ADDRESS_PARTS = 20;
const MAX_PARTS = 1_000;
const MAX_OUTLINES = 1_000;
const MAX_NOTES = 20;
const MAX_ID = 200;
/** More units than any building has. */
const MAX_LINKS = 5_000;

type NumberField = 'heightM' | 'floorsAbove' | 'floorsBelow' | 'yearBuilt' | 'gfaM2';
type OtherLeaf =
  | 'buildingID'
  | 'branchID'
  | 'partID'
  | 'city'
  | 'name'
  | 'usage'
  | 'heightStatus'
  | 'genericName'
  | 'genericValue'
  | keyof typeof REAL_ESTATE;
type NumberLeaf = Exclude<Leaf, OtherLeaf | 'height'>;
type ReadNumber = (text: string, unit: string | undefined, year: number) => [NumberField, ReadValue<number>];

const NUMBERS: Readonly<Record<NumberLeaf, ReadNumber>> = {
  measuredHeight: (text, unit) => ['heightM', readHeight(text, unit)],
  storeysAboveGround: (text) => ['floorsAbove', readStoreysAbove(text)],
  storeysBelowGround: (text) => ['floorsBelow', readStoreysBelow(text)],
  yearOfConstruction: (text, _, year) => ['yearBuilt', readYear(text, year)],
  totalFloorArea: (text, unit) => ['gfaM2', readFloorArea(text, unit)],
};

/** A building, or a part of one, while its element is open. */
export class BuildingFrame {
  private readonly gmlId: string | undefined;
  private readonly line: number;
  private readonly latestYear: number;
  private readonly labels: CodeLabels;
  private readonly ids: Partial<Record<'buildingID' | 'branchID' | 'partID', string | undefined>> = {};
  private municipality: string | undefined;
  private readonly outlines = new Map<ShapeName, ShapeOutcome>();
  /** A building may have several ground or roof surfaces. */
  private readonly geometries = new Map<ShapeName, AreaGeometry[]>();
  private readonly values: BuildingValues = { assetTypes: [] };
  /** Heights of CityGML 3.0 by status. The status precedes the value, like the name of a generic attribute. */
  private readonly heights: Partial<Record<'measured' | 'estimated', number | undefined>> = {};
  private heightStatus: 'measured' | 'estimated' = 'measured';
  private genericName = '';
  private readonly addressParts: string[] = [];
  private readonly links = new Set<string>();
  private readonly notes = new Set<string>();
  private readonly parts: BuildingFrame[] = [];

  constructor(gmlId: string | undefined, line: number, labels: CodeLabels, latestYear: number) {
    this.gmlId = gmlId;
    this.line = line;
    this.labels = labels;
    this.latestYear = latestYear;
  }

  setLeaf(leaf: Leaf, text: string, { uom, codeSpace }: Readonly<Record<string, string>>): void {
    if (leaf === 'buildingID' || leaf === 'branchID' || leaf === 'partID') this.ids[leaf] ??= readId(text);
    else if (leaf === 'city') this.municipality ??= readMunicipality(text);
    else if (leaf === 'name') {
      this.noteHidden('nameJa', text);
      this.values.nameJa ??= this.readName(text, codeSpace);
    } else if (leaf === 'usage') this.addUsage(text, codeSpace);
    else if (leaf === 'heightStatus') this.heightStatus = text.trim() === 'estimated' ? 'estimated' : 'measured';
    else if (leaf === 'height') this.addHeight(readHeight(text, uom));
    else if (leaf === 'genericName') this.genericName = text.trim();
    else if (leaf === 'genericValue') this.setGeneric(text);
    else if (isRealEstate(leaf)) this.addRealEstateId(REAL_ESTATE[leaf], text);
    else this.setNumber(...NUMBERS[leaf](text, uom, this.latestYear));
  }

  addAddressPart(text: string): void {
    this.noteHidden('addressJa', text);
    const words = readWords(text);
    if (words !== undefined && this.addressParts.length < MAX_ADDRESS_PARTS) this.addressParts.push(words);
  }

  endAddress(): void {
    if (this.addressParts.length > 0) this.values.addressJa ??= joinAddress(this.addressParts);
    this.addressParts.length = 0;
  }

  setShape(shape: ShapeName, outline: ShapeOutcome | undefined): void {
    if (outline === undefined) return;
    if ('geometry' in outline) {
      const geometries = this.geometries.get(shape) ?? [];
      if (geometries.length < MAX_OUTLINES) geometries.push(outline.geometry);
      this.geometries.set(shape, geometries);
    }
    const known = this.outlines.get(shape);
    if (known === undefined || 'fault' in known) this.outlines.set(shape, outline);
  }

  addPart(part: BuildingFrame): void {
    if (this.parts.length < MAX_PARTS) this.parts.push(part);
    else this.note(`only its first ${MAX_PARTS} parts are read`);
  }

  /** Whether a shape as good as this one, or a better one, has given an outline. */
  hasOutline(shape: ShapeName): boolean {
    return SHAPES.slice(0, SHAPES.indexOf(shape) + 1).some((better) => 'geometry' in (this.outlines.get(better) ?? {}));
  }

  finish(file: string): TileBuilding {
    const parts = this.parts.map((part) => part.finish(file));
    const ownGeometry = this.ownGeometry();
    const geometry = ownGeometry ?? joinOutlines(parts.flatMap((part) => part.geometry ?? []));
    // A single part next to the building's own outline, such as a shop on the ground floor, is not the whole building.
    const areWhole = parts.length > 1 || ownGeometry === undefined;
    if (geometry !== undefined) for (const { fault } of this.faults()) this.note(`${fault}; another shape is used`);
    for (const part of parts) for (const note of part.notes) this.note(note);
    return {
      at: { file, line: this.line },
      gmlId: this.gmlId,
      buildingId: this.ids.buildingID,
      branch: readOrder(this.ids.branchID),
      part: readOrder(this.ids.partID),
      municipality: this.municipality ?? parts.find((part) => part.municipality !== undefined)?.municipality,
      geometry,
      fault: geometry === undefined ? (this.faults()[0]?.fault ?? parts.find((part) => part.fault)?.fault) : undefined,
      values: this.valuesWith(
        parts.map((part) => part.values),
        areWhole,
      ),
      links: [...new Set([...this.links, ...parts.flatMap((part) => part.links)])],
      notes: [...this.notes],
    };
  }

  private faults(): { fault: string }[] {
    return SHAPES.flatMap((shape) => this.outlines.get(shape) ?? []).filter((outline) => 'fault' in outline);
  }

  private ownGeometry(): AreaGeometry | undefined {
    const shape = SHAPES.find((shape) => 'geometry' in (this.outlines.get(shape) ?? {}));
    const geometries = shape === undefined ? [] : (this.geometries.get(shape) ?? []);
    return geometries.length === 1 ? geometries[0] : joinOutlines(geometries);
  }

  /** If the parts make up the whole building, their common name and the sum of their floor areas are the building's. */
  private valuesWith(parts: readonly BuildingValues[], areWhole: boolean): BuildingValues {
    const { values } = this;
    values.heightM ??= this.heights.measured ?? this.heights.estimated;
    if (parts.length === 0) return values;
    const whole = areWhole ? parts : [];
    return {
      ...values,
      nameJa: values.nameJa ?? sharedBy(whole.map((part) => part.nameJa)),
      gfaM2: values.gfaM2 ?? sumOf(whole.map((part) => part.gfaM2)),
      addressJa: values.addressJa ?? parts.find((part) => part.addressJa !== undefined)?.addressJa,
      assetTypes: values.assetTypes.length > 0 ? values.assetTypes : usesOf(parts),
      floorsAbove: values.floorsAbove ?? greatestOf(parts.map((part) => part.floorsAbove)),
      floorsBelow: values.floorsBelow ?? greatestOf(parts.map((part) => part.floorsBelow)),
      heightM: values.heightM ?? greatestOf(parts.map((part) => part.heightM)),
      yearBuilt: values.yearBuilt ?? parts.find((part) => part.yearBuilt !== undefined)?.yearBuilt,
    };
  }

  private setNumber(field: NumberField, value: ReadValue<number>): void {
    if (typeof value === 'object') this.note(value.fault);
    else this.values[field] ??= value;
  }

  /** The greatest height is that of the whole building. An estimate counts only if nothing was measured. */
  private addHeight(value: ReadValue<number>): void {
    if (typeof value === 'object') this.note(value.fault);
    else if (value !== undefined)
      this.heights[this.heightStatus] = greatestOf([this.heights[this.heightStatus], value]);
    this.heightStatus = 'measured';
  }

  private addRealEstateId(prefix: string, text: string): void {
    const id = readRealEstateId(text);
    if (id === undefined) return;
    if (typeof id === 'object') this.note(id.fault);
    else if (this.links.size < MAX_LINKS) this.links.add(`${prefix}:${id}`);
  }

  private setGeneric(text: string): void {
    const leaf = Object.hasOwn(GENERIC_IDS, this.genericName) ? GENERIC_IDS[this.genericName] : undefined;
    if (leaf !== undefined) this.ids[leaf] ??= readId(text);
    this.genericName = '';
  }

  private readName(text: string, codeSpace: string | undefined): string | undefined {
    if (codeSpace === undefined) return this.publicName(readWords(text));
    const label = this.labels.find(codeSpace, text);
    if (label === undefined) this.note('nameJa is a code that is not in the code lists of these files');
    return this.publicName(label === undefined ? undefined : readWords(label));
  }

  private publicName(name: string | undefined): string | undefined {
    if (name === undefined || !PRIVATE_NAME.test(name)) return name;
    this.note("nameJa left out: it looks like a private person's");
    return undefined;
  }

  private addUsage(text: string, codeSpace: string | undefined): void {
    if (this.values.assetTypes.length >= MAX_USAGES) return;
    const uses = this.labels.findUses(codeSpace, text);
    if (uses === undefined) this.note('assetTypes: unknown usage code');
    for (const use of uses ?? []) if (!this.values.assetTypes.includes(use)) this.values.assetTypes.push(use);
  }

  private noteHidden(field: string, text: string): void {
    const hidden = hiddenIn(text);
    if (hidden !== undefined) this.note(`${field}: ${hidden} removed`);
  }

  private note(text: string): void {
    if (this.notes.size < MAX_NOTES) this.notes.add(text);
  }
}

const isRealEstate = (leaf: Leaf): leaf is keyof typeof REAL_ESTATE => Object.hasOwn(REAL_ESTATE, leaf);

/** The name that all parts have in common. */
function sharedBy(names: readonly (string | undefined)[]): string | undefined {
  return new Set(names).size === 1 ? names[0] : undefined;
}

function sumOf(areas: readonly (number | undefined)[]): number | undefined {
  const known = areas.filter((area) => area !== undefined);
  if (known.length === 0 || known.length < areas.length) return undefined;
  return Math.round(known.reduce((sum, area) => sum + area, 0) * 1e6) / 1e6;
}

function usesOf(parts: readonly BuildingValues[]): string[] {
  return [...new Set(parts.flatMap((part) => part.assetTypes))];
}

function readId(text: string): string | undefined {
  const id = readWords(text);
  return id === undefined || id.length > MAX_ID ? undefined : detach(id);
}

function readOrder(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Joins the parts of a structured address: 渋谷区 神宮前 2-2-3. A part may repeat everything before it. */
function joinAddress(parts: readonly string[]): string {
  let address = '';
  for (const part of parts) {
    if (address !== '' && part.startsWith(address)) address = part;
    else address += /\d$/.test(address) && /^\d/.test(part) ? `-${part}` : part;
  }
  return address;
}
