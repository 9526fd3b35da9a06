import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../src/vocabulary/geometry.ts';

export type Json = Record<string, unknown>;

export const AREAS: Json[] = [
  { kind: 'area', level: 'prefecture', code: '13', parent: null, slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo' },
  {
    kind: 'area',
    level: 'ward',
    code: '13101',
    parent: '13',
    slug: 'chiyoda-ku',
    nameJa: '千代田区',
    nameEn: 'Chiyoda-ku',
  },
  ...['1', '2'].map((n) => ({
    ...{ kind: 'area', level: 'machiAza', code: `13101000100${n}`, parent: '13101', slug: `marunouchi-${n}-chome` },
    ...{ nameJa: `丸の内${n}丁目`, nameEn: `Marunouchi ${n}-chome` },
  })),
];
export const AREA = '131010001001';
export const OTHER_AREA = '131010001002';

export const id = (number: number, prefecture = '13') => `ASSET-JP-${prefecture}-${String(number).padStart(8, '0')}`;

const METHOD: Record<string, string> = {
  osm: 'osm-tag',
  plateau: 'citygml',
  abr: 'area-lookup',
  estat: 'area-lookup',
  wikidata: 'wikidata-claim',
  nominatim: 'geocode-reverse',
};

/** A record line with defaults for what a test does not set. */
export function record(source: string, sourceRecordId: string, fields: Json, more: Json = {}): Json {
  return {
    kind: 'record',
    source,
    sourceRecordId,
    sourceUrl: `https://${source}.example/${sourceRecordId}`,
    retrievedAt: '2026-01-01T00:00:00Z',
    rawPayloadRef: 'sha256:aa',
    extractionMethod: METHOD[source] ?? 'disclosure-table',
    observations: Object.entries(fields).flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((v) => ({ field, value: v })),
    ),
    ...more,
  };
}

/** A square footprint around a point. */
export function square([lon, lat]: Position, half = 0.0001): Json {
  const [w, e, s, n] = [lon - half, lon + half, lat - half, lat + half];
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

export const MARUNOUCHI: Position = [139.7645, 35.6815];

/** An osm record that creates a building with a footprint, `number` steps of about 20 m east of Marunouchi. */
export function building(number: number, fields: Json = {}, more: Json = {}): Json {
  const place: Position = [MARUNOUCHI[0] + number * 0.0002, MARUNOUCHI[1]];
  const usual = { building: id(number), area: AREA, geometry: square(place, 0.00005) };
  return record('osm', `way/${number}`, { nameJa: `第${number}ビル`, ...fields }, { ...usual, ...more });
}

let files = 0;

export function writeRecords(dir: string, lines: readonly (Json | string)[]): string {
  const file = join(dir, `records-${++files}.ndjson`);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}
