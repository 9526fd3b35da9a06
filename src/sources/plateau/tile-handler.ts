import { ForeignFile } from '../../files/broken-file.ts';
import type { SkipRule } from '../../files/read-xml.ts';
import { localName, type XmlHandler } from '../../files/read-xml.ts';
import { printable } from '../../vocabulary/text.ts';
import type { TileBuilding } from './building.ts';
import { BuildingFrame } from './building-frame.ts';
import type { CodeLabels } from './code-lists.ts';
import {
  ADDRESS_LEVEL_PARTS,
  ADDRESS_LEVELS,
  ADDRESS_PARTS,
  BUILDING_ELEMENTS,
  FALLBACK_SHAPES,
  GENERIC_IDS,
  genericHolder,
  type MappedElement,
  type ShapeName,
  SKIPPED_ELEMENTS,
} from './mapping.ts';
import { DEFAULT_REFERENCE, referenceOf, ShapeReader, type SpatialReference } from './shape-reader.ts';
import { detach } from './values.ts';

type Attributes = Readonly<Record<string, string>>;

const MAX_GML_ID = 200;

/** Reads a tile element by element and passes on each building when it closes. */
export class TileHandler implements XmlHandler {
  readonly skips: SkipRule;
  private readonly file: string;
  private readonly labels: CodeLabels;
  private readonly latestYear: number;
  private readonly found: (building: TileBuilding) => void;
  private reference: SpatialReference = DEFAULT_REFERENCE;
  /** The known elements that are open inside a building. */
  private path: MappedElement[] = [];
  private names: string[] = [];
  private attributes: Attributes = {};
  /** The depth inside an unknown element. */
  private ignored = 0;
  /** The open building and its open nested parts. */
  private frames: BuildingFrame[] = [];
  private shape: ShapeReader | undefined;
  private hasRoot = false;

  constructor(file: string, labels: CodeLabels, latestYear: number, found: (building: TileBuilding) => void) {
    this.file = file;
    this.labels = labels;
    this.latestYear = latestYear;
    this.found = found;
    this.skips = { names: [...SKIPPED_ELEMENTS, ...FALLBACK_SHAPES], isSkipped: (name) => this.isPassedOver(name) };
  }

  open(name: string, attributes: Attributes, line: number): void {
    if (this.frames.length === 0) {
      if (!this.hasRoot && name !== 'CityModel') {
        throw new ForeignFile(`not CityGML: the root is <${printable(name, 60)}>, not <CityModel>`);
      }
      this.hasRoot = true;
      if (name === 'Building') this.openFrame(attributes, line);
      else if (name === 'Envelope') this.reference = referenceOf(attributes, DEFAULT_REFERENCE);
      return;
    }
    const parent = this.path[this.path.length - 1];
    if (this.ignored > 0) this.ignored += 1;
    else if (this.shape !== undefined || parent?.is === 'address') {
      this.names.push(name);
      this.shape?.open(name, attributes);
    } else this.openKnown(childOf(parent, name, attributes), attributes, line);
  }

  text(text: string): void {
    if (this.frames.length === 0 || this.ignored > 0) return;
    const element = this.path[this.path.length - 1];
    const name = this.names[this.names.length - 1];
    if (element?.is === 'leaf') this.frame.setLeaf(element.leaf, text, this.attributes);
    else if (name === undefined) return;
    else if (this.shape !== undefined) this.shape.text(name, text);
    else if (this.isAddressPart(name)) this.frame.addAddressPart(text);
  }

  close(): void {
    if (this.frames.length === 0) return;
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const name = this.names.pop();
    if (name !== undefined) {
      this.shape?.close(name);
      return;
    }
    const element = this.path.pop();
    if (element?.is === 'shape' && this.shape !== undefined) {
      this.frame.setShape(this.shape.shape, this.shape.end());
      this.shape = undefined;
    } else if (element?.is === 'address') this.frame.endAddress();
    else if (element === undefined || element.is === 'part') this.closeFrame();
  }

  private get frame(): BuildingFrame {
    return this.frames[this.frames.length - 1] as BuildingFrame;
  }

  private openKnown(element: MappedElement | undefined, attributes: Attributes, line: number): void {
    if (element === undefined) {
      this.ignored = 1;
      return;
    }
    this.path.push(element);
    if (element.is === 'leaf') this.attributes = attributes;
    else if (element.is === 'part') this.openFrame(attributes, line);
    else if (element.is === 'shape') this.shape = new ShapeReader(element.shape, attributes, this.reference);
  }

  private openFrame(attributes: Attributes, line: number): void {
    this.frames.push(new BuildingFrame(gmlIdOf(attributes), line, this.labels, this.latestYear));
  }

  private closeFrame(): void {
    const frame = this.frames.pop() as BuildingFrame;
    if (this.frames.length > 0) this.frame.addPart(frame);
    else this.found(frame.finish(this.file));
  }

  private isAddressPart(name: string): boolean {
    if (!ADDRESS_LEVEL_PARTS.has(name)) return ADDRESS_PARTS.has(name);
    return ADDRESS_LEVELS.has(this.names[this.names.length - 2] ?? '');
  }

  private isPassedOver(name: string): boolean {
    if (this.shape !== undefined) return false;
    const parent = this.path[this.path.length - 1];
    if (this.ignored === 0 && parent?.is === 'holder' && Object.hasOwn(parent.holds, name)) return false;
    if (!FALLBACK_SHAPES.includes(name)) return true;
    if (this.frames.length === 0 || this.ignored > 0) return false;
    return this.frame.hasOutline(name === 'boundedBy' ? 'lod1MultiSurface' : (name as ShapeName));
  }
}

function childOf(parent: MappedElement | undefined, name: string, attributes: Attributes): MappedElement | undefined {
  const holds =
    parent === undefined || parent.is === 'part' ? BUILDING_ELEMENTS : parent.is === 'holder' ? parent.holds : {};
  const element = Object.hasOwn(holds, name) ? holds[name] : undefined;
  if (element?.is !== 'generic') return element;
  const key = attributes.name?.trim() ?? '';
  const id = Object.hasOwn(GENERIC_IDS, key) ? GENERIC_IDS[key] : undefined;
  return id === undefined ? undefined : genericHolder(id);
}

function gmlIdOf(attributes: Attributes): string | undefined {
  for (const [name, value] of Object.entries(attributes)) {
    if (localName(name) === 'id' && value.trim() !== '' && value.length <= MAX_GML_ID) return detach(value.trim());
  }
  return undefined;
}
