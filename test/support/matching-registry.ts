import { expect } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { Areas } from '../../src/registry/areas.ts';
import type { Geometry } from '../../src/vocabulary/geometry.ts';
import { at, box, multi, polygon } from '../matching/grid.ts';
import { openContext, type TestDatabase } from './engines.ts';
import { buildingOf, partitionOf } from './matched.ts';
import { AREAS, type Json, record, writeRecords } from './records.ts';
import { expectVerified } from './verified.ts';

/** The 900 m around the corner of four tiles belong to 丸の内1丁目. */
export const HERE: Json[] = [
  ...AREAS.slice(0, 2),
  { ...AREAS[2], boundary: polygon(box(-1000, -1000, 1000, 1000)) },
  AREAS[3] as Json,
];

export type Rect = readonly [west: number, south: number, east: number, north: number];

/** A footprint of one or several parts. */
export const shape = (...rects: Rect[]): Geometry =>
  rects.length === 1 ? polygon(box(...(rects[0] as Rect))) : multi(...rects.map((rect) => [box(...rect)]));
export const point = (x: number, y: number): Geometry => ({ type: 'Point', coordinates: at(x, y) });

/** A record that names no building. */
export const osm = (key: string, geometry: Geometry | null, fields: Json = {}, more: Json = {}) =>
  record('osm', key, fields, { ...(geometry === null ? {} : { geometry }), ...more });
export const plateau = (key: string, geometry: Geometry | null, fields: Json = {}, more: Json = {}) =>
  record('plateau', key, fields, { ...(geometry === null ? {} : { geometry }), ...more });
export const item = (key: string, geometry: Geometry, fields: Json, more: Json = {}) =>
  record('wikidata', key, fields, { geometry, ...more });

/** A later revision. */
export const later = (month: number): Json => ({
  retrievedAt: `2026-0${month}-01T00:00:00Z`,
  rawPayloadRef: `sha256:0${month}`,
});

export const address = (rest: string) => `東京都千代田区丸の内${rest}`;

export interface Town {
  context: Context;
  storage: Context['storage'];
  dir: string;
  /** Ingests the lines as one file. */
  ingest(...lines: Json[]): Promise<Json>;
  /** The records of each building; unassigned records are omitted. */
  buildings(): Promise<string[][]>;
  leftOut(): Promise<string[]>;
  /** The ID of the building of a record. */
  idOf(key: string): Promise<string | undefined>;
  /** Areas with a point, as only some sources have them. */
  putPoint(code: string, x: number, y: number): Promise<void>;
}

/** Runs `work` on an empty registry, and verifies what it leaves. */
export async function inTown(database: TestDatabase, work: (town: Town) => Promise<void>): Promise<void> {
  const context = await openContext(database);
  const { storage } = context;
  try {
    await work({
      context,
      storage,
      dir: database.dir,
      ingest: async (...lines) => {
        const file = writeRecords(database.dir, lines);
        const counts = (await ingestFiles(context, 'records', [file])).get(file);
        expect(counts?.rejected).toBe(0);
        return counts as unknown as Json;
      },
      buildings: async () => (await partitionOf(storage)).buildings,
      leftOut: async () => (await partitionOf(storage)).leftOut,
      idOf: (key) => buildingOf(storage, key),
      putPoint: async (code, x, y) => {
        const areas = await Areas.load(storage.db);
        const known = areas.get(code);
        if (known === undefined) throw new Error(`unknown area ${code}`);
        await storage.transaction((tx) => areas.put(tx, { ...known, point: at(x, y) }, null));
      },
    });
    // Drafts of adapters are ingested without a file.
    await expectVerified(context, 'archive');
  } finally {
    await context.storage.close();
  }
}
