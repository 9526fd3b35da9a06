import { TextDecoder } from 'node:util';
import { BrokenFile } from '../files/broken-file.ts';
import { encodingOf } from '../files/decode-text.ts';
import type { SourceFile } from '../files/source-file.ts';
import { findLayout } from '../sources/disclosure/disclosed-table.ts';
import { GREENARCHIVE_LAYOUT } from '../sources/greenarchive/adapter.ts';
import { GREENBUILDING_LAYOUT } from '../sources/greenbuilding/adapter.ts';
import { MANKAN_LAYOUT } from '../sources/mankan/adapter.ts';
import { headerKey, isHeaderOf } from '../sources/registers/read-table.ts';
import type { IngestSource } from './adapters.ts';
import { unsupported } from './list-files.ts';

/** The format that the first bytes of a file show. Without a source, no source reads it. */
interface Recognised {
  what: string;
  source?: IngestSource;
  /** An archive that the operator has to unpack. */
  isArchive?: true;
}

const HEAD_BYTES = 32 << 10;
const HEADER_WITHIN = 40;

export interface Refusal {
  /** `foreign`: certainly of another source. `broken`: of no source, or empty. */
  kind: 'foreign' | 'broken';
  reason: string;
}

/** Why the first bytes of a file rule it out for a source; undefined if only reading it can tell. */
export async function refusalOf(source: IngestSource, file: SourceFile): Promise<Refusal | undefined> {
  // Some parts of a shapefile may be empty, which its adapter checks.
  if (file.size === 0) return source === 'estat' ? undefined : { kind: 'broken', reason: 'the file is empty' };
  const recognised = recognise(await headOf(file));
  if (recognised === undefined || recognised.source === source || isOwn(source, file.name, recognised))
    return undefined;
  return describe(recognised);
}

/** Formats that a source reads only under some names. */
function isOwn(source: IngestSource, name: string, recognised: Recognised): boolean {
  if (source === 'nominatim' || source === 'estat') return recognised === GEOJSON;
  if (source === 'edinet') return recognised === HTML && /\.html?$/i.test(name);
  return source === 'jreit' && /\.xlsx$/i.test(name) && (recognised === ZIP || recognised === OLD_OFFICE);
}

function describe(recognised: Recognised): Refusal {
  const { what, source, isArchive } = recognised;
  if (isArchive === true) return { kind: 'broken', reason: `the file is ${unsupported(what)}` };
  // An HTML page or other bytes under an expected name are a failed download.
  if (source === undefined)
    return { kind: recognised === GEOJSON ? 'foreign' : 'broken', reason: `the file is ${what}` };
  return { kind: 'foreign', reason: `the file looks like ${what}: use "tatemono ingest ${source}"` };
}

/** The format of a file by its first bytes; undefined if they are not conclusive. */
function recognise(head: Buffer): Recognised | undefined {
  const binary = SIGNATURES.find(([bytes, at = 0]) => head.subarray(at, at + bytes.length).equals(bytes));
  if (binary !== undefined) return binary[2];
  const text = textOf(head)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text.startsWith('<')) return recogniseXml(text);
  if (/^[[{]/.test(text)) return recogniseJson(text);
  return recogniseTable(text);
}

async function headOf(file: SourceFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file.bytes()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (error) {
    // The adapter will report why it is broken.
    if (!(error instanceof BrokenFile)) throw error;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

const ascii = (text: string) => Buffer.from(text, 'latin1');

const HTML: Recognised = { what: 'an HTML page' };
const GEOJSON: Recognised = { what: 'GeoJSON or TopoJSON' };
const ZIP: Recognised = { what: 'a zip or an Office file' };
const OLD_OFFICE: Recognised = { what: 'an old Office file' };

const SIGNATURES: readonly [bytes: Buffer, at: number, what: Recognised][] = [
  [ascii('\n\x09OSMHeader'), 4, { what: 'an OSM PBF file', source: 'osm' }],
  [Buffer.from('0000270a', 'hex'), 0, { what: 'a shapefile', source: 'estat' }],
  [ascii('PK\x03\x04'), 0, ZIP],
  [ascii('PK\x05\x06'), 0, { what: 'an empty zip' }],
  [ascii('\x1f\x8b'), 0, { what: 'a gzip file' }],
  [ascii('BZh'), 0, { what: 'a bzip2 file' }],
  [ascii('\xfd7zXZ\0'), 0, { what: 'an xz file', isArchive: true }],
  [ascii('7z\xbc\xaf\x27\x1c'), 0, { what: 'a 7-Zip archive', isArchive: true }],
  [ascii('Rar!\x1a\x07'), 0, { what: 'a RAR archive', isArchive: true }],
  [ascii('%PDF-'), 0, { what: 'a PDF' }],
  [Buffer.from('d0cf11e0', 'hex'), 0, OLD_OFFICE],
  [ascii('SQLite format 3\0'), 0, { what: 'an SQLite database' }],
];

const textOf = (head: Buffer): string => new TextDecoder(encodingOf(head, 'shift_jis')).decode(head);

const BEFORE_ROOT = /^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s(?!\s*html)[^>[]*>)/i;

function recogniseXml(text: string): Recognised | undefined {
  let rest = text;
  for (let skipped = BEFORE_ROOT.exec(rest); skipped !== null; skipped = BEFORE_ROOT.exec(rest)) {
    rest = rest.slice(skipped[0].length);
  }
  if (/^<!DOCTYPE\s+html/i.test(rest)) return HTML;
  const root = /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1];
  if (root === 'osm') return { what: 'OSM XML', source: 'osm' };
  if (root === 'CityModel') return { what: 'CityGML', source: 'plateau' };
  return root?.toLowerCase() === 'html' ? HTML : undefined;
}

function recogniseJson(text: string): Recognised | undefined {
  const first = text.slice(0, 4_000);
  if (/^\{\s*"kind"\s*:\s*"(?:area|record|merge)"/.test(first)) return { what: 'the record format', source: 'records' };
  if (/^\{\s*"entities"\s*:|"id"\s*:\s*"[QP]\d+"/.test(first) && /"(?:entities|labels|claims)"\s*:/.test(text)) {
    return { what: 'Wikidata JSON', source: 'wikidata' };
  }
  if (/^\{\s*"head"\s*:\s*\{[^{}]*"vars"\s*:/.test(first)) return { what: 'a SPARQL result', source: 'wikidata' };
  if (/"(?:osm3s|generator)"\s*:/.test(first) && /"elements"\s*:\s*\[/.test(text)) {
    return { what: 'Overpass JSON', source: 'osm' };
  }
  if (
    /"(?:place_id|geocoding|osm_type)"\s*:/.test(first) &&
    /"(?:licence|address|display_name|label)"\s*:/.test(text)
  ) {
    return { what: 'a Nominatim response', source: 'nominatim' };
  }
  if (/"metadata"\s*:/.test(first) && /"results"\s*:\s*\[/.test(text) && /"docID"|"resultset"/.test(text)) {
    return { what: 'an EDINET document list', source: 'edinet' };
  }
  if (/"N03_00[1-7]"\s*:/.test(text)) return { what: 'municipality boundaries (N03)', source: 'estat' };
  return /^\{[^{}[\]]*"type"\s*:\s*"(?:FeatureCollection|Topology)"/.test(first) ? GEOJSON : undefined;
}

type Table = [what: string, source: IngestSource, is: (cells: readonly string[]) => boolean];

const has = (cells: readonly string[], ...names: string[]) => {
  const keys = new Set(cells.map(headerKey));
  return names.some((name) => keys.has(headerKey(name)));
};

/** In this order: the header of a register may look like that of a property table. */
const TABLES: readonly Table[] = [
  ['a table of the Address Base Registry', 'abr', (cells) => cells[0] === 'lg_code'],
  [
    'a greenarchive table',
    'greenarchive',
    (cells) => isHeaderOf(cells, GREENARCHIVE_LAYOUT) && has(cells, '管理番号', '届出年度', 'filingYear'),
  ],
  ['a mankan table', 'mankan', (cells) => isHeaderOf(cells, MANKAN_LAYOUT)],
  [
    "Tokyo's register of building environment plans",
    'greenbuilding',
    (cells) => isHeaderOf(cells, GREENBUILDING_LAYOUT),
  ],
  [
    'an EDINET document list',
    'edinet',
    (cells) => cells.includes('docID') && (cells.includes('edinetCode') || cells.includes('submitDateTime')),
  ],
  ['the EDINET list of fund codes', 'edinet', (cells) => has(cells, 'ファンドコード') && has(cells, 'ファンド名')],
  [
    'a table of REIT properties',
    'jreit',
    (cells) =>
      cells.some((cell) => /^(?:物件名|物件番号|property_name|不動産等の名称)/u.test(headerKey(cell))) &&
      isProperties(cells),
  ],
];

function isProperties(cells: readonly string[]): boolean {
  return findLayout({ rows: [{ line: 1, cells: cells.map((text) => ({ text })) }], above: [] }, 1) !== undefined;
}

function recogniseTable(text: string): Recognised | undefined {
  const lines = text.split(/\r\n|\n|\r/, HEADER_WITHIN);
  for (const line of lines) {
    const cells = line.split(',', 200).map((cell) => cell.trim().replace(/^"(.*)"$/u, '$1'));
    if (cells.length < 2) continue;
    const table = TABLES.find(([, , is]) => is(cells));
    if (table !== undefined) return { what: table[0], source: table[1] };
  }
  return undefined;
}
