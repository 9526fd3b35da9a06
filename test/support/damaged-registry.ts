import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { indexEntries } from '../../src/registry/search/write/index-entries.ts';
import { exampleBundle } from '../reit/support.ts';
import { runHere } from './command.ts';
import { fillOnce, openContext, type TestDatabase } from './engines.ts';
import { HERE, item, osm, plateau, point, shape } from './matching-registry.ts';
import { osmXml, squareXml } from './osm-xml.ts';
import { building, id, type Json, record, writeRecords } from './records.ts';

/** Ingests of one month, then of another: unnamed records that share buildings, and what refers to them. */
const FIRST: Json[] = [
  ...HERE,
  ...[1, 2, 3, 4, 5, 6].map((number) =>
    building(number, {
      nameEn: `Building ${number}`,
      heightM: 10 * number,
      floorsAbove: number,
      aliases: ['甲', '乙'],
    }),
  ),
  building(7, { postcode: '100-0005' }, { venues: [{ nameJa: '喫茶', category: 'cafe' }] }),
  record('wikidata', 'Q1', { yearBuilt: 1990, ownerPublic: '見本株式会社', postcode: '100-0005' }, { building: id(1) }),
  osm('way/a', shape([-20, -20, 20, 20]), { nameJa: '角の館', addressJa: '東京都千代田区丸の内1丁目1番1号' }),
  plateau('a', shape([-20, -20, 21, 20]), { heightM: 40 }),
  osm('way/b', shape([100, 100, 120, 120]), { nameJa: '北の館' }),
  item('Q7', point(110, 110), { nameEn: 'North House' }),
  record('wikidata', 'Q9', { yearBuilt: 1980 }, { complex: { nameJa: '地区', nameEn: null } }),
];

const SECOND: Json[] = [
  building(1, { nameEn: 'Building One', heightM: 11, floorsAbove: 1 }, { retrievedAt: '2026-02-01T00:00:00Z' }),
  building(2, { nameEn: 'Building Two', heightM: 22 }, { retrievedAt: '2026-02-01T00:00:00Z' }),
];

/** A file of another format, whose statements have the hash of their content. */
const OSM_FILE = osmXml(
  squareXml({
    way: 501,
    west: 139.764,
    south: 35.68,
    size: 0.0002,
    tags: { building: 'office', name: '南の館', wikidata: 'Q7' },
  }),
  squareXml({ way: 502, west: 139.765, south: 35.681, size: 0.0002, tags: { building: 'office', wikidata: 'Q9' } }),
);

export interface DamagedRegistry {
  context: Context;
  database: TestDatabase;
  env: Record<string, string>;
  /** Changes rows behind the back of the program, without any check of the database. */
  damage(...statements: string[]): Promise<void>;
  close(): Promise<void>;
}

/** A registry with a row of every kind: versions, merges, replaced search entries, an active REIT publication. */
export async function openDamagedRegistry(database: TestDatabase): Promise<DamagedRegistry> {
  await fillOnce('damaged registry', database, fill);
  const context = await openContext(database);
  return {
    context,
    database,
    env: envOf(database),
    damage: (...statements) => damage(database, statements),
    close: () => context.storage.close(),
  };
}

const envOf = ({ url, dir }: TestDatabase) => ({
  DATABASE_URL: url,
  ARCHIVE_DIR: join(dir, 'archive'),
  LOG_LEVEL: 'silent',
});

async function fill(database: TestDatabase): Promise<void> {
  const context = await openContext(database);
  const { storage } = context;
  await ingestLines(context, database, FIRST);
  const file = join(database.dir, 'city.osm');
  writeFileSync(file, OSM_FILE);
  await ingest(context, 'osm', [file], { retrievedAt: '2026-01-15T00:00:00Z' });
  await storage.transaction((tx) => indexEntries(tx, 1));
  await ingestLines(context, database, SECOND);
  await mergeBuildings(context, id(3), id(4), 'one building');
  await mergeBuildings(context, id(6), id(7), null);
  await unmergeBuilding(context, id(6), null);
  await retireBuilding(context, id(5), id(1), null);
  await storage.transaction((tx) => indexEntries(tx, 1));
  await storage.close();
  await publishReit(database);
}

async function ingestLines(context: Context, { dir }: TestDatabase, lines: readonly Json[]): Promise<void> {
  const file = writeRecords(dir, lines);
  const counts = (await ingest(context, 'records', [file])).get(file);
  if (counts?.rejected !== 0) throw new Error('a line was rejected');
}

async function publishReit(database: TestDatabase): Promise<void> {
  const reit = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(envOf(database), 'reit', ...args);
    if (code !== 0) throw new Error(`reit ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const bundle = join(database.dir, 'bundle.json');
  writeFileSync(bundle, JSON.stringify(exampleBundle()));
  const [publication = ''] = (await reit('compose', bundle)).split('\n');
  await reit('permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', '公開情報', '--by', 'carol');
  for (const review of ['data', 'match']) {
    await reit('review', review, publication, '--pass', '--by', 'alice', '--note', '原本と照合');
  }
  await reit('activate', publication, '--by', 'bob');
}

async function damage({ engine, url }: TestDatabase, statements: readonly string[]): Promise<void> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(url.slice('file:'.length), { enableForeignKeyConstraints: false });
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statements) await client.query(statement);
  await client.end();
}
