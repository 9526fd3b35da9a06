import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type FetchJob, type FetchOutcome, type FetchSourceName, fetchSource } from '../../src/fetch/fetch-source.ts';
import { Publisher } from '../support/publisher.ts';

export const KEY = '0123456789abcdef-secret-key';

export interface FetchPlace {
  publisher: Publisher;
  into: string;
  printed: string[];
  told: string[];
  /** Changes the clock. */
  now: string;
  fetch(source: FetchSourceName, what: string, limits?: FetchJob['limits']): Promise<FetchOutcome>;
  /** The files under final names, except that of the lock. */
  files(): Record<string, string>;
  ledger(): { files: Record<string, Record<string, unknown>>; fetches: Record<string, Record<string, unknown>> };
}

/** A publisher and an empty folder, for one test. */
export async function openFetchPlace(): Promise<FetchPlace> {
  const publisher = await Publisher.start();
  const into = mkdtempSync(join(tmpdir(), 'tatemono-fetch-'));
  onTestFinished(() => {
    publisher.close();
    rmSync(into, { recursive: true, force: true });
  });
  const settings = readConfig({ ...publisher.env, EDINET_API_KEY: KEY }).fetch;
  const place: FetchPlace = {
    ...{ publisher, into, printed: [], told: [], now: '2026-06-01T00:00:00.000Z' },
    // A busy machine is not a silent publisher.
    fetch: (source, what, limits = { stallMs: 200_000 }) =>
      fetchSource({
        ...{ source, what, into, settings, limits, now: () => place.now },
        ...{ print: (line: string) => place.printed.push(line), tell: (line: string) => place.told.push(line) },
      }),
    files() {
      const names = readdirSync(into).filter((name) => !/\.part$|^fetch\.(?:lock|json)$/.test(name));
      return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(into, name), 'utf8')]));
    },
    ledger: () => JSON.parse(readFileSync(join(into, 'fetch.json'), 'utf8')),
  };
  return place;
}
