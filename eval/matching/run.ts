/**
 * npm run eval:matching [-- <data folder> [<clone of citygml-osm>]]
 *
 * Ingests the files of the labelled sets, each into a registry of its own, and holds the pairs that matching decides
 * against labels.csv. Sets whose files are not there are passed over.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { readConverted } from './converted-plateau.ts';
import { describe, type Label, type Pair, type Score, score } from './score.ts';
import { type LabelledSet, SETS } from './sets.ts';

const FOLDERS = { data: process.argv[2] ?? '../shared/data', 'citygml-osm': process.argv[3] ?? '../citygml-osm' };
const labels: Label[] = parse(readFileSync(new URL('labels.csv', import.meta.url)), { columns: true });

/** Every located building is published; its area does not matter here. */
const AREAS = [
  { level: 'prefecture', code: '13', parent: null, slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo' },
  { level: 'ward', code: '13111', parent: '13', slug: 'ota-ku', nameJa: '大田区', nameEn: 'Ota-ku' },
  {
    ...{ level: 'machiAza', code: '131110001000', parent: '13111', slug: 'kanto', nameJa: '関東', nameEn: 'Kanto' },
    boundary: {
      type: 'Polygon',
      coordinates: [
        [
          [139, 35],
          [141, 35],
          [141, 37],
          [139, 37],
          [139, 35],
        ],
      ],
    },
  },
];

const all: Score = { right: 0, wrong: 0, missed: 0, disagreements: [] };
for (const set of SETS) {
  const files = [set.plateau, ...set.osm].map((file) => join(FOLDERS[set.folder], file));
  const absent = files.filter((file) => !existsSync(file));
  if (absent.length > 0) {
    console.log(`${set.name}: passed over, ${absent.join(', ')} not found`);
    continue;
  }
  const result = score(
    labels.filter((label) => label.set === set.name),
    await decide(set, files as [string, ...string[]]),
  );
  console.log(`${set.name}: ${describe(result)}`);
  for (const line of result.disagreements) console.log(`  ${line}`);
  all.right += result.right;
  all.wrong += result.wrong;
  all.missed += result.missed;
}
console.log(`all: ${describe(all)}`);

async function decide(set: LabelledSet, [plateau, ...osm]: [string, ...string[]]): Promise<Pair[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tatemono-eval-'));
  try {
    const ingest = (source: string, ...paths: string[]) =>
      execFileSync('bin/tatemono.js', ['ingest', source, ...paths], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DATABASE_URL: `file:${join(dir, 'registry.db')}`, ARCHIVE_DIR: join(dir, 'archive') },
      });
    const write = (name: string, lines: readonly object[]) => {
      writeFileSync(join(dir, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return join(dir, name);
    };
    ingest(
      'records',
      write(
        'areas.ndjson',
        AREAS.map((area) => ({ kind: 'area', ...area })),
      ),
    );
    if (set.folder === 'data') ingest('plateau', plateau);
    else ingest('records', write('plateau.ndjson', await readConverted(plateau)));
    ingest('osm', ...osm);
    return pairsIn(join(dir, 'registry.db'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The record pairs of the two sources that describe one building, through merges. */
function pairsIn(database: string): Pair[] {
  const db = new DatabaseSync(database, { readOnly: true });
  const successors = new Map(
    db
      .prepare('select id, successor from building where successor is not null')
      .all()
      .map(({ id, successor }) => [id, successor]),
  );
  const pairs = new Map<unknown, { plateau: string[]; osm: string[] }>();
  for (const { key, building } of db
    .prepare('select key, building from source_record where building is not null')
    .all()) {
    let survivor = building;
    while (successors.has(survivor ?? null)) survivor = successors.get(survivor ?? null) ?? null;
    const [source, id] = String(key).split(/:(.*)/s) as ['plateau' | 'osm', string];
    const group = pairs.get(survivor) ?? { plateau: [], osm: [] };
    pairs.set(survivor, group);
    group[source].push(id);
  }
  db.close();
  return [...pairs.values()].flatMap(({ plateau, osm }) =>
    plateau.flatMap((one) => osm.map((other) => ({ plateau: one, osm: other }))),
  );
}
