import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS } from '../src/storage/migrate.ts';
import { startPostgres } from '../test/support/postgres-cluster.ts';
import { generateCity } from './generate-city.ts';
import { runTatemono } from './processes.ts';

export type Engine = 'sqlite' | 'postgres';

export interface DataSet {
  /** The settings with which `tatemono` uses it. */
  env: NodeJS.ProcessEnv;
  /** The file of an SQLite registry. */
  file: string;
  /** Stops the processes that were started for it. */
  close: () => Promise<void>;
  /** Removes it, unless it existed before or is to be kept. */
  discard: () => void;
}

const GENERATOR = ['city-areas.ts', 'city-words.ts', 'city-names.ts', 'city-plan.ts', 'generate-city.ts'];

/** The generated city, ingested. A complete one from the same generator and migrations is reused. */
export async function openCity(engine: Engine, buildings: number, keep: boolean): Promise<DataSet> {
  const folder = folderOf(engine, buildings);
  const found = isComplete(engine, buildings);
  if (!found) removeOwn(folder);
  mkdirSync(folder, { recursive: true });
  const postgres = engine === 'postgres' ? await startPostgres(join(folder, 'postgres')) : undefined;
  const file = join(folder, 'registry.db');
  const archive = join(folder, 'archive');
  const env = {
    ...process.env,
    ...{ DATABASE_URL: postgres?.url ?? `file:${file}`, ARCHIVE_DIR: archive, LOG_LEVEL: 'warn', TRUST_PROXY: '' },
    ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '' },
    ...{ RATE_LIMIT_API: '0', RATE_LIMIT_PAGE: '0', RATE_LIMIT_MCP: '0' },
  };
  const close = async () => postgres?.stop();
  const discard = () => {
    if (!found && !keep) removeOwn(folder);
  };
  if (found) return { env, file, close, discard };
  try {
    const records = join(folder, 'records.ndjson');
    await generateCity(records, buildings);
    await runTatemono(['ingest', 'records', records], env);
    for (const path of [records, archive]) rmSync(path, { recursive: true, force: true });
    writeFileSync(markerOf(engine, buildings), recipe(buildings));
  } catch (error) {
    await close();
    throw error;
  }
  return { env, file, close, discard };
}

function isComplete(engine: Engine, buildings: number): boolean {
  try {
    return readFileSync(markerOf(engine, buildings), 'utf8') === recipe(buildings);
  } catch {
    return false;
  }
}

/** Removes a folder of this clone, and never one that a link leads to. */
function removeOwn(folder: string): void {
  if (
    existsSync(folder) &&
    realpathSync(folder) !== join(realpathSync(fileURLToPath(new URL('.', import.meta.url))), 'out', basename(folder))
  ) {
    throw new Error(`${folder} is a link to a data set of another version; remove the link`);
  }
  rmSync(folder, { recursive: true, force: true });
}

const folderOf = (engine: Engine, buildings: number) =>
  fileURLToPath(new URL(`out/search-${engine}-${buildings}`, import.meta.url));
const markerOf = (engine: Engine, buildings: number) => join(folderOf(engine, buildings), 'complete.json');

/** Identifies the generator and the migrations: a data set of others must be made again. */
function recipe(buildings: number): string {
  const hash = createHash('sha256');
  for (const name of GENERATOR) hash.update(readFileSync(new URL(name, import.meta.url)));
  const migrations = MIGRATIONS.map((migration) => migration.name);
  return JSON.stringify({ buildings, migrations, generator: hash.digest('hex') });
}
