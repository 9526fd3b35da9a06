import type { FastifyInstance } from 'fastify';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { migrationState } from '../../src/storage/migrate.ts';
import { fillOnce, openContext, type TestDatabase } from './engines.ts';
import { AREAS, building, id, type Json, MARUNOUCHI, record, square, writeRecords } from './records.ts';
import { serverOn } from './serving.ts';

/** The buildings of the small registry, by what they demonstrate. */
export const SMALL = {
  /** Has five records, two of which win no field. */
  full: id(1),
  /** One of its records has only a footprint. */
  geometryOnly: id(2),
  /** Each merged into the next; the last is live. */
  chain: [id(3), id(4), id(5)] as const,
  retiredInto: { from: id(6), into: id(1) },
  retired: id(7),
  /** Retired into the first of the chain. */
  retiredIntoChain: id(8),
  /** Merged into a building that was then retired without a successor. */
  mergedIntoRetired: [id(9), id(10)] as const,
  /** Exists, but is in no area. */
  unplaced: id(11),
  unknown: id(99),
} as const;

export const LIVE = [SMALL.full, SMALL.geometryOnly, SMALL.chain[2]];

const { area: _, ...unplaced } = building(11);

const LINES: Json[] = [
  ...AREAS,
  building(
    1,
    { nameEn: 'One', heightM: 48, aliases: ['甲', 'ONE'], assetTypes: ['office', 'retail'] },
    { venues: [{ nameJa: '喫茶', category: 'cafe' }] },
  ),
  record(
    'plateau',
    'b1',
    { heightM: 50, footprintM2: 400, floorsAbove: 9, assetTypes: 'office' },
    { building: id(1), geometry: square(MARUNOUCHI) },
  ),
  record(
    'wikidata',
    'Q1',
    { nameEn: 'Building One', yearBuilt: 2001, aliases: ['one', 'Ichi'], heightM: 49 },
    { building: id(1) },
  ),
  record('wikidata', 'Q9', { nameEn: 'An older name' }, { building: id(1), retrievedAt: '2025-01-01T00:00:00Z' }),
  record('estat', 'e1', { nameEn: 'No source of names' }, { building: id(1) }),
  building(2),
  record('plateau', 'b2', {}, { building: id(2), geometry: square(MARUNOUCHI, 0.0002) }),
  ...[3, 4, 5, 6, 7, 8, 9, 10].map((number) => building(number)),
  unplaced,
  { kind: 'merge', from: id(3), into: id(4), reason: 'one building' },
  { kind: 'merge', from: id(4), into: id(5), reason: 'one building' },
];

export interface SmallRegistry {
  app: FastifyInstance;
  context: Context;
  ingest(lines: readonly Json[]): Promise<void>;
  close(): Promise<void>;
}

/** A registry of eleven buildings in every state of identity, with its server. */
export async function openSmallRegistry(database: TestDatabase): Promise<SmallRegistry> {
  await fillOnce('small registry', database, fillSmallRegistry);
  const context = await openContext(database);
  const { storage } = context;
  const isReady = async () => (await migrationState(storage)).pending.length === 0;
  const app = serverOn(openRegistry(storage), isReady, { reit: openReit(storage) });
  return {
    app,
    context,
    ingest: (lines) => ingestLines(context, database, lines),
    close: async () => {
      await app.close();
      await storage.close();
    },
  };
}

async function fillSmallRegistry(database: TestDatabase): Promise<void> {
  const context = await openContext(database);
  await ingestLines(context, database, LINES);
  await retireBuilding(context, SMALL.retiredInto.from, SMALL.retiredInto.into, null);
  await retireBuilding(context, SMALL.retired, undefined, null);
  await retireBuilding(context, SMALL.retiredIntoChain, SMALL.chain[0], null);
  await mergeBuildings(context, ...SMALL.mergedIntoRetired, null);
  await retireBuilding(context, SMALL.mergedIntoRetired[1], undefined, null);
  await context.storage.close();
}

async function ingestLines(context: Context, { dir }: TestDatabase, lines: readonly Json[]): Promise<void> {
  const file = writeRecords(dir, lines);
  const counts = (await ingest(context, 'records', [file])).get(file);
  if (counts?.rejected !== 0) throw new Error('a line of the small registry was rejected');
}
