import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { onPostgres } from '../support/engines.ts';
import { McpClient } from '../support/mcp-inject.ts';
import { openServedSample } from '../support/served-sample.ts';

/** What docs/scale.md distributes by building, and the column that holds it. All other tables stay on the coordinator. */
const DISTRIBUTED: Readonly<Record<string, string>> = {
  page: 'building',
  nearby: 'building',
  building_version: 'building',
};

/** Tokyo Station's Marunouchi Building, and one with a REIT publication. */
const ID = 'ASSET-JP-13-00000049';
const HELD = 'ASSET-JP-13-00000023';
const TILE = '14/14552/6451';

/** One request of each kind that readers send often. */
const REQUESTS: readonly string[] = [
  `/japan/api/v1/assets/${ID}`,
  `/japan/api/v1/assets/${ID}/sources`,
  `/japan/api/v1/assets/${HELD}/reit`,
  '/japan/api/v1/assets?q=ビル',
  '/japan/api/v1/assets?q=ビル&view=summary&sort=floors&floorsMin=3',
  '/japan/api/v1/assets?prefecture=tokyo&ward=minato-ku',
  '/japan/api/v1/assets?near=35.68,139.76&radius=1000&sort=distance',
  '/japan/api/v1/assets?bbox=139.7,35.6,139.8,35.7&has=yearBuilt',
  '/japan/api/v1/owners/東京都/assets',
  '/japan/api/v1/source-records?source=osm&id=way/9000000013001',
  '/japan/api/v1/match?name=丸の内ビルディング&address=千代田区丸の内2-4-1',
  `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${ID}`,
  `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${ID}.md`,
  `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${ID}?tab=history`,
  '/japan/areas?q=ビル&sort=height',
  '/japan/areas?prefecture=tokyo',
  '/japan/tokyo/chiyoda-ku',
  '/japan/owners/東京都',
  `/japan/compare?ids=${ID},${HELD}`,
  '/japan/suggest?q=丸の内',
  '/japan/map-points?q=ビル',
  `/japan/tiles/${TILE}`,
  `/japan/tiles/areas/${TILE}`,
];

const CALLS: readonly [tool: string, given: unknown][] = [
  ['get_asset', { id: ID }],
  ['get_asset_sources', { id: ID }],
  ['get_asset_reit', { id: HELD }],
  ['search_assets', { q: 'ビル', view: 'summary' }],
  ['get_owner_portfolio', { name: '東京都' }],
];

interface Plan {
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: Plan[];
}

onPostgres('a distributed PostgreSQL', (fresh) => {
  it('SCL-01 every hot query names the key of the distributed tables that it reads', async () => {
    const { url, ...database } = await fresh();
    const { app, close } = await openServedSample({ url, ...database });
    await app.ready();
    const statements = recordStatements();
    for (const path of REQUESTS) {
      const answer = await app.inject({ url: path });
      expect([path, answer.statusCode]).toEqual([path, 200]);
    }
    const client = await McpClient.open(app);
    for (const [tool, given] of CALLS) {
      expect([tool, (await client.call(tool, given)).isError]).toEqual([tool, undefined]);
    }
    await close();
    vi.restoreAllMocks();

    const read = new Set<string>();
    for (const statement of statements) {
      for (const { table, condition } of await scansOf(url, statement)) {
        const key = DISTRIBUTED[table];
        if (key === undefined) continue;
        read.add(table);
        expect([statement, condition]).toEqual([statement, expect.stringMatching(new RegExp(`\\b${key} = `))]);
      }
    }
    expect([...read].sort()).toEqual(Object.keys(DISTRIBUTED).sort());
  });

  it('SCL-02 every unique key of a distributed table contains its distribution key, and no other table refers to it', async () => {
    const client = new pg.Client({ connectionString: (await fresh()).url });
    await client.connect();
    const tables = Object.keys(DISTRIBUTED);
    const unique = await client.query<{ table: string; columns: string[] }>(
      `select r.relname as table, array_agg(a.attname::text) as columns
        from pg_index i join pg_class r on r.oid = i.indrelid
        join pg_attribute a on a.attrelid = r.oid and a.attnum = any(i.indkey)
        where i.indisunique and r.relname = any($1) group by r.relname, i.indexrelid`,
      [tables],
    );
    const references = await client.query<{ table: string; other: string }>(
      `select r.relname as table, f.relname as other from pg_constraint c
        join pg_class r on r.oid = c.conrelid join pg_class f on f.oid = c.confrelid
        where c.contype = 'f' and f.relname = any($1)`,
      [tables],
    );
    await client.end();
    for (const { table, columns } of unique.rows)
      expect([table, columns]).toEqual([table, expect.arrayContaining([DISTRIBUTED[table]])]);
    expect(unique.rows.map(({ table }) => table).sort()).toEqual(tables.toSorted());
    expect(references.rows).toEqual([]);
  });
});

/** The texts of all statements sent from now on. */
function recordStatements(): ReadonlySet<string> {
  const statements = new Set<string>();
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [query] = given as [string | { text: string }];
    statements.add(typeof query === 'string' ? query : query.text);
    return send.apply(this, given);
  } as typeof pg.Client.prototype.query);
  return statements;
}

/** The tables that a statement reads, and the conditions by which their indexes are asked. */
async function scansOf(url: string, statement: string): Promise<{ table: string; condition: string }[]> {
  if (!/^\s*(select|with)\b/i.test(statement)) return [];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Tables of the sample are so small that reading them whole would be cheaper.
  for (const way of ['seqscan', 'hashjoin', 'mergejoin']) await client.query(`set enable_${way} = off`);
  const { rows } = await client.query(`explain (generic_plan, format json) ${statement}`);
  const parents = await client.query<{ child: string; parent: string }>(
    'select inhrelid::regclass::text as child, inhparent::regclass::text as parent from pg_inherits',
  );
  await client.end();
  const parentOf = new Map(parents.rows.map(({ child, parent }) => [child, parent]));
  const scans = (plan: Plan): { table: string; condition: string }[] => [
    ...(plan['Relation Name'] === undefined
      ? []
      : [
          {
            table: parentOf.get(plan['Relation Name']) ?? plan['Relation Name'],
            condition: plan['Index Cond'] ?? plan['Recheck Cond'] ?? '',
          },
        ]),
    ...(plan.Plans ?? []).flatMap(scans),
  ];
  return scans(rows[0]['QUERY PLAN'][0].Plan);
}
