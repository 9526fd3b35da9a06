import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AssetKey } from '../src/vocabulary/asset-id.ts';
import { cityKeys } from './city-plan.ts';
import { isComplete, openCity } from './data-set.ts';
import { generateRecords } from './generate-records.ts';
import { runTatemono } from './processes.ts';

const MILLION = 1_000_000;

/** A registry to read from. */
export interface Subject {
  env: NodeJS.ProcessEnv;
  keys: readonly AssetKey[];
  /** GET by random IDs, as a percentage of a bare server. */
  target: number;
  discard: () => void;
}

/** The requested number of buildings; by default the kept million of bench/search.ts, else 100,000. */
export function openSubject(asked: number | undefined): Promise<Subject> {
  const useMillion = (asked === undefined || asked === MILLION) && isComplete('sqlite', MILLION);
  return useMillion ? openMillion() : makeRecords(asked ?? 100_000);
}

async function openMillion(): Promise<Subject> {
  const { env, discard } = await openCity('sqlite', MILLION, true);
  return { env, keys: cityKeys(MILLION), target: 40, discard };
}

async function makeRecords(count: number): Promise<Subject> {
  const out = fileURLToPath(new URL('out/get-asset', import.meta.url));
  const env = {
    ...process.env,
    ...{ DATABASE_URL: `file:${join(out, 'registry.db')}`, ARCHIVE_DIR: join(out, 'archive'), LOG_LEVEL: 'warn' },
    ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_API: '0', RATE_LIMIT_PAGE: '0', RATE_LIMIT_MCP: '0' },
  };
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await generateRecords(join(out, 'records.ndjson'), count);
  await runTatemono(['ingest', 'records', join(out, 'records.ndjson')], env);
  const keys = Array.from({ length: count }, (_, i) => 1_300_000_001 + i);
  return { env, keys, target: 45, discard: () => rmSync(out, { recursive: true, force: true }) };
}
