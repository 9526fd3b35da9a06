import { BrokenFile, ForeignFile } from '../../files/broken-file.ts';
import { readXml, type XmlHandler } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import { type Collector, toId, toPosition } from './collector.ts';
import type { ElementType, Member } from './elements.ts';
import { isKeptKey } from './tag-tables.ts';

type Attributes = Readonly<Record<string, string>>;

/** Reads OSM XML as the API, JOSM, osmium and Overpass write it. */
export async function* readOsmXml(file: SourceFile, into: Collector): AsyncGenerator<void> {
  const handler = new OsmXmlHandler(into);
  yield* readXml(file, handler);
  handler.end();
}

class OsmXmlHandler implements XmlHandler {
  readonly #into: Collector;
  #root = false;
  #type: ElementType | undefined;
  #attributes: Attributes = {};
  #line = 0;
  #tags = new Map<string, string>();
  #refs: number[] = [];
  #members: Member[] = [];
  /** The line of the open member, if the file has it. */
  #drawn: (Position | undefined)[] | undefined;
  #center: Position | undefined;
  #remark = false;

  constructor(into: Collector) {
    this.#into = into;
  }

  open(name: string, attributes: Attributes, line: number): void {
    if (!this.#root) {
      if (name !== 'osm') throw new ForeignFile(`not OSM XML: the root is <${printable(name, 60)}>, not <osm>`);
      this.#root = true;
    } else if (name === 'node' || name === 'way' || name === 'relation') {
      this.#begin(name, attributes, line);
    } else if (name === 'tag') {
      if (isKeptKey(attributes.k ?? '')) this.#tags.set(attributes.k as string, attributes.v ?? '');
    } else if (name === 'nd') {
      this.#addNd(attributes);
    } else if (name === 'member') {
      this.#addMember(attributes);
    } else if (name === 'center') {
      this.#center = toPosition(attributes.lon, attributes.lat);
    }
    this.#remark = name === 'remark';
  }

  #begin(type: ElementType, attributes: Attributes, line: number): void {
    this.#type = type;
    this.#attributes = attributes;
    this.#line = line;
    if (this.#tags.size > 0) this.#tags = new Map();
    this.#refs = [];
    this.#members = [];
    this.#center = undefined;
  }

  /** Overpass `out geom` writes the position of a node next to, or instead of, its ID. */
  #addNd({ ref, lon, lat }: Attributes): void {
    const position = lon === undefined ? undefined : toPosition(lon, lat);
    if (this.#drawn !== undefined) {
      this.#drawn.push(position);
      return;
    }
    let id = ref === undefined ? Number.NaN : toId(ref);
    if (position !== undefined) {
      if (Number.isNaN(id)) id = this.#into.addUnnamedNode(position);
      else this.#into.addNode(id, position, NO_TAGS);
    }
    this.#refs.push(id);
  }

  #addMember({ type, ref, role }: Attributes): void {
    this.#drawn = [];
    if (type !== 'node' && type !== 'way' && type !== 'relation') return;
    this.#members.push({ type, ref: toId(ref), role: role ?? '' });
  }

  close(name: string): void {
    if (name === 'member') this.#closeMember();
    if (name !== this.#type) return;
    this.#type = undefined;
    const { id: idText, visible, action, lon, lat } = this.#attributes;
    const id = toId(idText);
    // JOSM marks elements to be deleted, the history API deleted ones.
    if (Number.isNaN(id) || visible === 'false' || action === 'delete') return;
    const tags = this.#tags;
    if (name === 'node') {
      const position = toPosition(lon, lat);
      if (position !== undefined) this.#into.addNode(id, position, tags);
      else if (lon !== undefined || lat !== undefined) this.#into.addMisplacedNode(id);
    } else if (name === 'way') {
      this.#into.addWay(id, this.#refs, tags, this.#line, this.#center);
    } else {
      this.#into.addRelation({ id, tags, members: this.#members, line: this.#line, center: this.#center });
    }
  }

  /** A line that leaves the requested box is incomplete and is dropped. */
  #closeMember(): void {
    const member = this.#members[this.#members.length - 1];
    const drawn = this.#drawn ?? [];
    this.#drawn = undefined;
    if (member !== undefined && drawn.length > 0 && !drawn.includes(undefined)) member.drawn = drawn as Position[];
  }

  text(text: string): void {
    if (this.#remark && /error/i.test(text)) throw new BrokenFile(UNFINISHED);
  }

  end(): void {
    if (!this.#root) throw new BrokenFile('no <osm> element');
  }
}

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/** Overpass returns a partial result with a remark if it runs out of time or memory. */
export const UNFINISHED = 'Overpass stopped early (see its remark); request a smaller area or a longer timeout';
