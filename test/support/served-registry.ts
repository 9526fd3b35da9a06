import type { FastifyInstance } from 'fastify';
import type { Context } from '../../src/pipeline/context.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { openContext, type TestDatabase } from './engines.ts';
import { type Json, writeRecords } from './records.ts';
import { type Answer, answerOf, assetUrl, serverOn } from './serving.ts';

/** A published record and its exact response body. */
export interface Published {
  page: BuildingPage;
  text: string;
}

export interface ServedRegistry {
  app: FastifyInstance;
  context: Context;
  ingest(lines: readonly Json[]): Promise<void>;
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  /** The published records of these IDs, read one by one. */
  readAll(ids: readonly string[]): Promise<Published[]>;
  /** The time of its clock. */
  seconds(): number;
  close(): Promise<void>;
}

/** A registry with its server. Its clock advances by a second at every reading. */
export async function openServedRegistry(database: TestDatabase, startSeconds = 0): Promise<ServedRegistry> {
  let seconds = startSeconds;
  const now = () => new Date(Date.UTC(2026, 1, 1) + ++seconds * 1_000).toISOString();
  const context = await openContext(database, { now });
  const app = serverOn(openRegistry(context.storage), undefined, { reit: openReit(context.storage) });
  const get = async (url: string, headers: Record<string, string> = {}) => answerOf(await app.inject({ url, headers }));
  return {
    app,
    context,
    get,
    async ingest(lines) {
      const file = writeRecords(database.dir, lines);
      const counts = (await ingest(context, 'records', [file])).get(file);
      if (counts?.rejected !== 0) throw new Error(`${counts?.rejected} lines were rejected`);
    },
    async readAll(ids) {
      const found: Published[] = [];
      for (let i = 0; i < ids.length; i += 20) {
        const some = ids.slice(i, i + 20);
        const answers = await Promise.all(some.map((id) => get(assetUrl(id))));
        for (const [j, { status, body }] of answers.entries()) {
          if (status === 200) found.push({ page: JSON.parse(body), text: body });
          else if (status !== 301 && status !== 404) throw new Error(`${some[j]}: status ${status}`);
        }
      }
      return found;
    },
    seconds: () => seconds,
    async close() {
      await app.close();
      await context.storage.close();
    },
  };
}

/** When the published version of a record was recorded. */
export const recordedAt = ({ history }: BuildingPage): string => history[0]?.recordedAt as string;

/** SEA-08: recorded time descending, then public ID ascending. */
export function byRecency(a: BuildingPage, b: BuildingPage): number {
  const [x, y] = [recordedAt(a), recordedAt(b)];
  if (x !== y) return x < y ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}
