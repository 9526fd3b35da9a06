import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { PERMITTED_SURFACES, type PermittedSurface } from '../../src/reit/life/permissions.ts';
import type { Document, Envelope } from '../../src/reit/publication/document.ts';
import type { Catalog } from '../../src/reit/publication/project-json-ld.ts';
import { exampleBundle } from '../reit/support.ts';
import { type Finished, runHere } from './command.ts';
import { fillOnce, type TestDatabase } from './engines.ts';
import { McpClient } from './mcp-inject.ts';
import { AREAS, building, id } from './records.ts';
import { openServedRegistry, type ServedRegistry } from './served-registry.ts';
import { assetUrl } from './serving.ts';

export const ASKED_SURFACES = PERMITTED_SURFACES;
export type AskedSurface = PermittedSurface;

export interface ReitPlace extends ServedRegistry {
  env: Record<string, string>;
  /** `tatemono reit …` */
  reit(...args: string[]): Promise<Finished>;
  /** Composes a bundle and returns its publication ID and findings. */
  compose(bundle: unknown): Promise<{ id: string; findings: string[] }>;
  show(id: string): Promise<{ id: string; computedAt: string; document: Document }>;
  stateOf(id: string): Promise<string>;
  /** Reviews, permits and activates a draft. */
  accept(id: string): Promise<void>;
  /** The IDs of the publications that a surface serves for a building. */
  served(surface: AskedSurface, building?: string): Promise<string[]>;
  servedAnywhere(building?: string): Promise<string[]>;
}

/** Returns how far its clock has gone. */
async function fillThree(database: TestDatabase): Promise<number> {
  const registry = await openServedRegistry(database);
  await registry.ingest([...AREAS, ...[1, 2, 3].map((number) => building(number, { floorsAbove: 9 }))]);
  await registry.close();
  return registry.seconds();
}

/** A served registry of three buildings, with the REIT commands. */
export async function openReitPlace(database: TestDatabase): Promise<ReitPlace> {
  const registry = await openServedRegistry(database, await fillOnce('reit place', database, fillThree));
  const env = { DATABASE_URL: database.url, ARCHIVE_DIR: join(database.dir, 'archive'), LOG_LEVEL: 'silent' };
  let files = 0;
  const reit = (...args: string[]): Promise<Finished> => runHere(env, 'reit', ...args);
  const done = async (...args: string[]) => {
    const finished = await reit(...args);
    if (finished.code !== 0) throw new Error(`reit ${args.join(' ')}: ${finished.stdout}${finished.stderr}`);
    return finished.stdout;
  };
  const mcp = await McpClient.open(registry.app);
  const place: ReitPlace = {
    ...registry,
    env,
    reit,
    async compose(bundle) {
      const file = join(database.dir, `bundle-${++files}.json`);
      writeFileSync(file, typeof bundle === 'string' ? bundle : JSON.stringify(bundle));
      const [first = '', ...findings] = (await done('compose', file)).trimEnd().split('\n');
      return { id: first, findings };
    },
    show: async (publication) => JSON.parse(await done('show', publication)),
    async stateOf(publication) {
      return /^state +(\w+)$/m.exec(await done('status', publication))?.[1] ?? '';
    },
    async accept(publication) {
      await done('permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', '公開情報', '--by', 'carol');
      for (const review of ['data', 'match']) {
        await done('review', review, publication, '--pass', '--by', 'alice', '--note', '原本と照合');
      }
      await done('activate', publication, '--by', 'bob');
    },
    async served(surface, of = id(1)) {
      if (surface === 'mcp') {
        const { structuredContent } = await mcp.call('get_asset_reit', { id: of });
        return (structuredContent as unknown as Envelope).publications.map((publication) => publication.id);
      }
      if (surface === 'page' || surface === 'markdown') {
        const { headers } = await registry.get(`/japan/id/${of}`);
        const { status, body } = await registry.get(`${headers.location}${surface === 'page' ? '?tab=reit' : '.md'}`);
        if (status !== 200) throw new Error(`${surface} answers with ${status}`);
        return [...new Set(body.match(/\brp_[0-9a-f]{64}\b/g))];
      }
      const form = { 'rest-json': 'reit', csv: 'reit.csv', jsonld: 'reit.jsonld' }[surface];
      const { status, body } = await registry.get(assetUrl(of, `/${form}`));
      if (status !== 200) throw new Error(`${surface} answers with ${status}`);
      if (surface === 'rest-json') return (JSON.parse(body) as Envelope).publications.map((p) => p.id);
      if (surface === 'jsonld') return (JSON.parse(body) as Catalog).dataset.map(({ identifier }) => identifier);
      const rows = parse(body, { columns: true }) as { publicationId: string }[];
      return [...new Set(rows.map(({ publicationId }) => publicationId))];
    },
    async servedAnywhere(of) {
      const lists = await Promise.all(ASKED_SURFACES.map((surface) => place.served(surface, of)));
      return [...new Set(lists.flat())];
    },
  };
  return place;
}

/** The example bundle for another building or property. */
export function bundleFor(building: string, propertyCode = 'A-01', changes: Record<string, unknown> = {}) {
  const example = exampleBundle();
  return {
    ...example,
    holdings: example.holdings.map((holding) => ({ ...holding, propertyCode })),
    matches: example.matches.map((match) => ({ ...match, buildingId: building })),
    ...changes,
  };
}

export const permit = (place: ReitPlace, verdict: string, surface: string, source = 'edinet'): Promise<Finished> =>
  place.reit('permit', verdict, '--source', source, '--surface', surface, '--basis', '利用規約', '--by', 'carol');
