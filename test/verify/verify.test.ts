import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { placeOf } from '../../src/observations/archive.ts';
import { asWriter } from '../../src/pipeline/context.ts';
import { VERIFIED_PARTS } from '../../src/vocabulary/difference.ts';
import { startService } from '../faults/service.ts';
import { runHere } from '../support/command.ts';
import { type DamagedRegistry, openDamagedRegistry } from '../support/damaged-registry.ts';
import { onBothEngines } from '../support/engines.ts';
import { id } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { assetUrl } from '../support/serving.ts';
import { differencesIn, repair } from '../support/verified.ts';

/** Building 1: 1300000001. */
const ONE = 1300000001;
const MINTED = "(select building from source_record where key = 'osm:way/a')";

/** Bytes of a column with one of them replaced; both databases have their own words for it. */
const withByte = (engine: string, column: string, at: number) =>
  engine === 'sqlite'
    ? `cast(substr(${column}, 1, ${at}) || x'ff' || substr(${column}, ${at} + 2) as blob)`
    : `set_byte(${column}, ${at}, 255)`;
const bytes = (engine: string, hex: string) => (engine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`);

type Damage = [what: string, statement: (engine: string) => string | string[], found: RegExp];

/** What is published of a building. */
const RECORDS: Damage[] = [
  ['a record is lost', () => `delete from page where building = ${ONE}`, /^missing page ASSET-JP-13-00000001$/],
  [
    'a byte of a record',
    (engine) => `update page set body = ${withByte(engine, 'body', 60)} where building = ${ONE}`,
    /^(differs|unreadable) page ASSET-JP-13-00000001/,
  ],
  ['the tag of a record', () => `update page set etag = 'x' where building = ${ONE}`, /^differs page .*01 tag$/],
  ['the credits of a record', () => `update page set credits = 0 where building = ${ONE}`, /^differs page .* credits$/],
  [
    'a record of a merged building',
    (engine) => `insert into page (building, etag, body, credits) values (1300000003, 'x', ${bytes(engine, '7b')}, 0)`,
    /^extra page ASSET-JP-13-00000003$/,
  ],
];

/** Lists of neighbours. */
const NEARBY: Damage[] = [
  ['neighbours are lost', () => `delete from nearby where building = ${ONE}`, /^missing nearby ASSET-JP-13-00000001$/],
  [
    'a byte of neighbours',
    (engine) => `update nearby set body = ${withByte(engine, 'body', 9)} where building = ${ONE}`,
    /^(differs|unreadable) nearby ASSET-JP-13-00000001/,
  ],
  ['the tag of neighbours', () => `update nearby set etag = 'x' where building = ${ONE}`, /^differs nearby .* tag$/],
  [
    'neighbours of a retired building',
    (engine) => `insert into nearby (building, etag, body) values (1300000005, 'x', ${bytes(engine, '7b')})`,
    /^extra nearby ASSET-JP-13-00000005$/,
  ],
];

/** Rows of buildings, versions and lookup keys. */
const BUILDINGS: Damage[] = [
  ...(['area', 'placed_by', 'lat', 'lon', 'mesh', 'name_ja', 'name_en', 'category', 'recorded_at'] as const).map(
    (column): Damage => [
      `the ${column} of a building`,
      () => `update building set ${column} = null where id = ${ONE}`,
      new RegExp(`^differs building ASSET-JP-13-00000001 ${column}$`),
    ],
  ),
  [
    'the point of a building is elsewhere',
    () => `update building set lat = 34.5, lon = 135.5, mesh = '51350000' where id = ${ONE}`,
    /^differs building ASSET-JP-13-00000001 lat, lon, mesh$/,
  ],
  [
    'the area of a merged building',
    () => "update building set area = '131010001001' where id = 1300000003",
    /^differs building ASSET-JP-13-00000003 area$/,
  ],
  [
    'the version of a building',
    () => `update building set version = 1 where id = ${ONE}`,
    /^differs building .*version$/,
  ],
  [
    'a higher version of a building',
    () => `update building set version = 9 where id = ${ONE}`,
    /^missing building_version ASSET-JP-13-00000001 version 9$/,
  ],
  [
    'the last version is lost',
    () => `delete from building_version where building = ${ONE} and version = 2`,
    /^missing building_version ASSET-JP-13-00000001 version 2$/,
  ],
  [
    'the only version is lost',
    () => 'delete from building_version where building = 1300000007',
    /^missing building_version ASSET-JP-13-00000007 version 1$/,
  ],
  [
    'a byte of the current version',
    (engine) =>
      `update building_version set canonical = ${withByte(engine, 'canonical', 50)} where building = ${ONE} and version = 2`,
    /^(differs|unreadable) building_version ASSET-JP-13-00000001 version 2/,
  ],
  [
    'what a version changed',
    () => `update building_version set changed_fields = 'a' where building = ${ONE} and version = 2`,
    /^differs building_version ASSET-JP-13-00000001 changed fields of version 2$/,
  ],
  [
    'the time of a version',
    () => `update building_version set recorded_at = '2020-01-01T00:00:00Z' where building = ${ONE} and version = 2`,
    /^differs building_version ASSET-JP-13-00000001 version 2 is earlier than the one before it$/,
  ],
  [
    'the time of a version is none',
    () => `update building_version set recorded_at = 'then' where building = ${ONE} and version = 1`,
    /^unreadable building_version ASSET-JP-13-00000001 time of version 1$/,
  ],
  [
    'the time of the current version is none',
    () => `update building_version set recorded_at = 'then' where building = ${ONE} and version = 2`,
    /^unreadable building_version ASSET-JP-13-00000001 time of version 2$/,
  ],
  [
    'the time of an earlier version is later',
    () => `update building_version set recorded_at = '2999-01-01T00:00:00Z' where building = ${ONE} and version = 1`,
    /^differs building_version ASSET-JP-13-00000001 version 2 is earlier than the one before it$/,
  ],
  [
    'the time of a building is none',
    () => `update building set recorded_at = 'then' where id = ${ONE}`,
    /^differs building ASSET-JP-13-00000001 recorded_at$/,
  ],
  ['a lookup key is lost', () => `delete from lookup_key where building = ${ONE}`, /^differs lookup_key .*01$/],
  ['a lookup key too many', () => `insert into lookup_key (building, key) values (${ONE}, 5)`, /^differs lookup_key/],
];

/** Search entries and the index. */
const SEARCH: Damage[] = [
  ['a search entry is lost', () => `delete from search_entry where building = ${ONE}`, /^missing search_entry .*01$/],
  [
    'the text of an entry',
    () => `update search_entry set text = 'x' where building = ${ONE}`,
    /^differs search_entry .* text$/,
  ],
  ...(['uses', 'fields', 'flags'] as const).map(
    (column): Damage => [
      `the ${column} of an entry`,
      () => `update search_entry set ${column} = 0 where building = 1300000007`,
      new RegExp(`^differs search_entry ASSET-JP-13-00000007 ${column}$`),
    ],
  ),
  ...(['owner', 'height', 'floors', 'built', 'site', 'summary', 'ward'] as const).map(
    (column): Damage => [
      `the ${column} of an entry`,
      () => `update search_entry set ${column} = null where building = ${ONE}`,
      new RegExp(`^differs search_entry ASSET-JP-13-00000001 ${column}$`),
    ],
  ),
  [
    'the postcode of an entry',
    () => 'update search_entry set postcode = null where building = 1300000007',
    /^differs search_entry ASSET-JP-13-00000007 postcode$/,
  ],
  [
    'a posting is lost',
    () => 'delete from search_posting where key = (select min(key) from search_posting)',
    /^missing search_posting segment 1, gram /,
  ],
  [
    'a posting too many',
    (engine) =>
      `insert into search_posting (key, docs) values (281474976710656 + 7, ${bytes(engine, '0000010000000000')})`,
    /^extra search_posting segment 1, gram 000000000007$/,
  ],
  [
    'a byte of a posting',
    (engine) =>
      `update search_posting set docs = ${withByte(engine, 'docs', 4)} where key = (select max(key) from search_posting)`,
    /^(differs|unreadable) search_posting segment \d, gram /,
  ],
  [
    'postings of no segment',
    (engine) => `insert into search_posting (key, docs) values (281474976710656 * 9, ${bytes(engine, '00')})`,
    /^extra search_posting after the last segment$/,
  ],
  [
    'a filter is lost',
    () => "delete from search_filter where filter = 'published'",
    /^missing search_filter segment 1, filter published$/,
  ],
  [
    'a filter too many',
    (engine) =>
      `insert into search_filter (segment, filter, docs) values (1, 'x', ${bytes(engine, '0000010001000000')})`,
    /^extra search_filter segment 1, filter x$/,
  ],
  [
    'a filter of no segment',
    (engine) => `insert into search_filter (segment, filter, docs) values (9, 'x', ${bytes(engine, '00')})`,
    /^extra search_filter segment 9$/,
  ],
  [
    'a sort order is lost',
    () => "delete from search_sort where sort = 'height'",
    /^missing search_sort segment 1, order height$/,
  ],
  [
    'a byte of a sort order',
    (engine) => `update search_sort set keys = ${withByte(engine, 'keys', 3)} where sort = 'height'`,
    /^differs search_sort segment 1, order height$/,
  ],
  ['sites are lost', () => 'delete from search_site where segment = 1', /^missing search_site segment 1$/],
  [
    'a byte of sites',
    (engine) => `update search_site set sites = ${withByte(engine, 'sites', 9)}`,
    /^(differs|unreadable) search_site segment 1/,
  ],
  [
    'replaced entries of a segment',
    () => 'update search_segment set dead = dead + 1',
    /^differs search_segment segment 1 number of replaced entries$/,
  ],
  ['a segment is lost', () => 'delete from search_segment where id = 1', /^extra search_posting /],
];

/** Summaries of areas. */
const SUMMARIES: Damage[] = [
  [
    'the summary of an area is lost',
    () => "delete from area_summary where area = '13101'",
    /^missing area_summary 13101$/,
  ],
  [
    'the summary of a machi-aza',
    () => "update area_summary set building_count = 99 where area = '131010001001'",
    /^differs area_summary 131010001001 building_count$/,
  ],
  [
    'the summary of a prefecture',
    () => "update area_summary set coverage = '{}' where area = '13'",
    /^differs area_summary 13 coverage$/,
  ],
  [
    'a summary of an empty area',
    () =>
      "insert into area_summary (area, building_count, latest_recorded_at, coverage) values ('131010001002', 1, '', '{}')",
    /^extra area_summary 131010001002$/,
  ],
];

/** Counts of mesh cells. */
const MESHES: Damage[] = [
  [
    'the count of a tile',
    () => 'update mesh_count set count = count + 1 where length(mesh) = 8',
    /^differs mesh_count \d{8} count$/,
  ],
  ['the counts of large cells', () => 'delete from mesh_count where length(mesh) < 8', /^missing mesh_count \d{4}$/],
  [
    'a cell too many',
    () => "insert into mesh_count (mesh, count, lat_sum, lon_sum) values ('99999999', 1, 1, 1)",
    /^differs mesh_count 99999999 count, lat_sum, lon_sum$/,
  ],
];

/** Identity, locations of records, areas. */
const EVIDENCE: Damage[] = [
  [
    'the state of a building',
    () => "update building set state = 'retired' where id = 1300000002",
    /^differs building ASSET-JP-13-00000002 state$/,
  ],
  [
    'the successor of a building',
    () => 'update building set successor = 1300000002 where id = 1300000003',
    /^differs building ASSET-JP-13-00000003 successor$/,
  ],
  [
    'a circle of successors',
    () => "update building set state = 'merged', successor = 1300000003 where id = 1300000004",
    /^unresolved building .* its successors form a circle$/,
  ],
  [
    'a building is lost',
    () => 'delete from building where id = 1300000002',
    /^unresolved page ASSET-JP-13-00000002 its building is missing$/,
  ],
  [
    'a building of matching is lost',
    () => `delete from building where id = ${MINTED}`,
    /^unresolved source_record (osm:way|plateau:)\/?a building names building /,
  ],
  ['the last number of a prefecture', () => 'delete from minted', /^missing minted 13$/],
  [
    'a lower number of a prefecture',
    () => 'update minted set last = 0',
    /^differs minted 13 a building has a higher number$/,
  ],
  [
    'the place of a record',
    () => "update source_record set lat = 30 where key = 'osm:way/a'",
    /^differs source_record osm:way\/a location$/,
  ],
  [
    'the tile of a record',
    () => "update source_record set tile = null where key = 'osm:way/b'",
    /^differs source_record osm:way\/b location$/,
  ],
  ['a further tile of a record', () => 'delete from spot', /^differs spot (osm:way\/a|plateau:a)$/],
  ['a link of a record', () => 'delete from link', /^differs link osm:way\/501$/],
  [
    'a link too many',
    () => "insert into link (name, record) select 'wikidata:Q5', min(id) from source_record",
    /^differs link /,
  ],
  [
    'an overlap of no record',
    () => 'insert into meeting (record, other, overlap) values (99999, 1, 1)',
    /^unresolved meeting 99999 record names source_record 99999$/,
  ],
  [
    'what no record lends',
    () => `insert into lent (building, record) values (${ONE}, 99999)`,
    /^unresolved lent 99999 record names source_record 99999$/,
  ],
  ['a slug is lost', () => "delete from area_slug where code = '13101'", /^missing area_slug 13101$/],
  [
    'the box of a boundary',
    () => "update area set west = 0 where code = '131010001001'",
    /^differs area 131010001001 the box of its boundary$/,
  ],
];

const record = (key: string) => `(select id from source_record where key = '${key}')`;

/** Overlaps, and what complexes lend. */
const MATCHING: Damage[] = [
  ['overlaps are lost', () => 'delete from meeting', /^missing meeting osm:way\/a with plateau:a$/],
  [
    'an overlap is known from one side only',
    () => `delete from meeting where record = ${record('plateau:a')}`,
    /^missing meeting plateau:a with osm:way\/a$/,
  ],
  [
    'an overlap is larger',
    () => 'update meeting set overlap = overlap + 0.01 where overlap > 0',
    /^differs meeting osm:way\/a with plateau:a$/,
  ],
  [
    'an overlap of records that are apart',
    () => `insert into meeting (record, other, overlap) values (${record('osm:way/a')}, ${record('osm:way/b')}, 5)`,
    /^extra meeting osm:way\/a with osm:way\/b$/,
  ],
  [
    'a point in a footprint that is elsewhere',
    () => `insert into meeting (record, other, overlap) values (${record('wikidata:Q7')}, ${record('osm:way/a')}, 0)`,
    /^extra meeting wikidata:Q7 with osm:way\/a$/,
  ],
  [
    'an overlap of a record without a place',
    () => `insert into meeting (record, other, overlap) values (${record('wikidata:Q1')}, ${record('osm:way/a')}, 5)`,
    /^extra meeting wikidata:Q1 with \d+$/,
  ],
  ['what a complex lends is lost', () => 'delete from lent', /^differs lent wikidata:Q9$/],
  [
    'a complex lends to another building',
    () => `insert into lent (building, record) values (${ONE}, ${record('wikidata:Q9')})`,
    /^differs lent wikidata:Q9$/,
  ],
  [
    'what is no complex lends',
    () => `insert into lent (building, record) values (${ONE}, ${record('osm:way/a')})`,
    /^differs lent osm:way\/a$/,
  ],
];

/** The list of active publications. */
const REIT: Damage[] = [
  [
    'the list of active publications',
    () => 'delete from reit_active',
    /^missing reit_active rp_[0-9a-f]{64} a building$/,
  ],
  [
    'a publication listed for another building',
    () => 'insert into reit_active (building, publication) select 1300000002, id from reit_publication',
    /^extra reit_active /,
  ],
  [
    'the outline of a publication',
    () => "update reit_publication set outline = '{}'",
    /^differs reit_publication rp_[0-9a-f]{64} outline$/,
  ],
];

/** Work that was left. */
const MARKERS: Damage[] = [
  [
    'a building to consolidate',
    () => `insert into stale_building (building) values (${ONE})`,
    /^unfinished stale_building 1 rows buildings to consolidate$/,
  ],
  [
    'a search index to rebuild',
    () => "insert into todo (name) values ('enter buildings')",
    /^unfinished todo enter buildings$/,
  ],
];

/** What nothing else tells, so that it can only be reported. */
const LOST: Damage[] = [
  [
    'a statement is lost',
    () => "delete from statement where record = (select id from source_record where key = 'wikidata:Q1')",
    /^missing statement wikidata:Q1 the record has none$/,
  ],
  [
    'a source record is lost',
    () => "delete from source_record where key = 'wikidata:Q1'",
    /^missing source_record wikidata:Q1 consulted for ASSET-JP-13-00000001/,
  ],
  [
    'a record of a building that remains',
    () => "update statement set record = 99999 where record = (select id from source_record where key = 'osm:way/1')",
    /^unresolved statement \d+ record names source_record 99999$/,
  ],
  [
    'a time of retrieval is lost',
    () => 'delete from retrieval where id = 1',
    /^unresolved statement \d+ retrieval names retrieval 1$/,
  ],
  [
    'a time of retrieval',
    () => "update retrieval set at = 'then' where id = 1",
    /^unreadable statement \d+, .* a time$/,
  ],
  ['an ingest is lost', () => 'delete from ingest where id = 1', /^unresolved statement \d+ ingest names ingest 1$/],
  [
    'bytes of a statement',
    (engine) => `update statement set body = ${bytes(engine, '01ff7f00')} where id = 1`,
    /^unreadable statement 1, /,
  ],
  [
    'the content of a statement',
    () =>
      "update statement set line_hash = 'AAAAAAAAAAAAAAA' where record = (select id from source_record where key = 'osm:way/501')",
    /^differs statement \d+, osm:way\/501 its content does not match its hash$/,
  ],
  [
    'bytes of an earlier version',
    (engine) =>
      `update building_version set canonical = ${bytes(engine, '01ff7f00')} where building = ${ONE} and version = 1`,
    /^unreadable building_version ASSET-JP-13-00000001 version 1: /,
  ],
  [
    'an earlier version is lost',
    () => `delete from building_version where building = ${ONE} and version = 1`,
    /^missing building_version ASSET-JP-13-00000001 version 1$/,
  ],
  [
    'an area is lost',
    () => "delete from area where code = '13101'",
    /^unresolved area 131010001001 parent names area 13101$/,
  ],
  [
    'a boundary',
    () => "update area set boundary = '{' where code = '131010001001'",
    /^unreadable area 131010001001 its boundary: /,
  ],
  [
    'a byte of a publication',
    (engine) => `update reit_publication set document = ${withByte(engine, 'document', 9)}`,
    /^differs reit_publication rp_[0-9a-f]{64} its document does not match its ID$/,
  ],
  ['an event of a publication', () => "update reit_event set body = '{' where id = 1", /^unreadable reit_event 1 /],
  ['a publication is lost', () => 'delete from reit_publication', /^unresolved reit_event \d+ publication names /],
  ['a permission', () => "update reit_permission set body = '{'", /^unreadable reit_permission/],
];

const first = (key: string) => `(select min(id) from statement where record = ${record(key)})`;
const of = (key: string, column: string) => `(select ${column} from statement where id = ${first(key)})`;

/** Statements of lines of the record format, which only the archived file tells. */
const LINES: Damage[] = [
  [
    'a statement has the content of another',
    () => `update statement set body = ${of('osm:way/3', 'body')} where id = ${first('osm:way/4')}`,
    /^differs statement \d+, osm:way\/4 its content, from line \d+ of .*ndjson$/,
  ],
  [
    'the building that a line names',
    () => `update statement set claimed = 1300000002 where id = ${first('wikidata:Q1')}`,
    /^differs statement \d+, wikidata:Q1 the building that it names, from line \d+ of .*ndjson$/,
  ],
  [
    'a statement was fetched at another time',
    () => `update statement set retrieval = 2 where id = ${first('wikidata:Q1')}`,
    /^differs statement \d+, wikidata:Q1 when it was fetched, from line \d+ of .*ndjson$/,
  ],
  [
    'a statement of another record',
    () => `update statement set record = ${record('osm:way/b')} where id = ${first('osm:way/4')}`,
    /^differs statement \d+, osm:way\/4 its record, from line \d+ of .*ndjson$/,
  ],
  [
    'one of two statements is lost',
    () => `delete from statement where id = ${first('osm:way/1')}`,
    /^missing statement osm:way\/1 line \d+ of .*ndjson; ingest it again$/,
  ],
];

/** An earlier damage may have removed or added the row. */
const isImpossible = (error: Error) => {
  if (!/unique|constraint/i.test(error.message)) throw error;
};

const damaged = (path: string, change: (bytes: Buffer) => Buffer) => writeFileSync(path, change(readFileSync(path)));

onBothEngines('verify', (fresh, engine) => {
  let registry: DamagedRegistry | undefined;
  const inDamaged = async (work: (registry: DamagedRegistry) => Promise<void>) => {
    registry ??= await openDamagedRegistry(await fresh());
    const open = registry;
    registry = undefined;
    await work(open);
    // Only one that was repaired is damaged again.
    registry = open;
  };

  afterAll(() => registry?.close());

  it('VRF-01 VRF-12 finds nothing in a registry that ordinary commands made', () =>
    inDamaged(async ({ context }) => expect(await differencesIn(context)).toEqual([])));

  const expectRepaired = (statement: Damage[1], found: RegExp) => {
    const [sql] = [statement(engine)].flat() as [string];
    // A repaired index has neither segments nor replaced entries.
    if (/search_(?!entry)/.test(sql)) registry = undefined;
    return inDamaged(async ({ context, damage }) => {
      await damage(sql);
      expect(await repair(context)).toContainEqual(expect.stringMatching(found));
      expect(await differencesIn(context)).toEqual([]);
    });
  };

  /** The statements are the same on both; on PostgreSQL, where each takes three times as long, some of them suffice. */
  const some = (all: readonly Damage[]) => all.filter((_, i) => engine === 'sqlite' || i % 4 === 0);
  it.each(some(RECORDS))('VRF-02 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(BUILDINGS))('VRF-02 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(NEARBY))('VRF-03 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(EVIDENCE))('VRF-04 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(SEARCH))('VRF-05 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(SUMMARIES))('VRF-06 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(MESHES))('VRF-07 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(MATCHING))('VRF-14 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(REIT))('VRF-09 VRF-11 names and repairs: %s', (_, damage, found) => expectRepaired(damage, found));
  it.each(some(MARKERS))('VRF-10 VRF-11 names and completes: %s', (_, damage, found) => expectRepaired(damage, found));

  it('VRF-11 repairs any damage of what is derived, to the registry that it was', async () => {
    const all = [...RECORDS, ...BUILDINGS, ...NEARBY, ...SEARCH, ...SUMMARIES, ...MESHES, ...MATCHING];
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(all.length - 1), { minLength: 2, maxLength: 6 }), async (chosen) => {
        const { context, damage, close } = await openDamagedRegistry(await fresh());
        const before = await registryState(context.storage);
        for (const i of chosen) await damage((all[i] as Damage)[1](engine) as string).catch(isImpossible);
        expect(await repair(context)).not.toEqual([]);
        expect((await differencesIn(context)).join('\n')).toBe('');
        const versions = (all: string) => (JSON.parse(all) as { recorded: unknown[] }).recorded.length;
        const after = await registryState(context.storage);
        // If a record and its version are both damaged, nothing proves what the version was.
        if (versions(after) === versions(before)) expect(after).toBe(before);
        await close();
      }),
      { numRuns: Number(process.env.DAMAGES ?? (engine === 'sqlite' ? 8 : 2)), endOnFailure: true },
    );
  });

  const timesOf = ({ storage }: DamagedRegistry['context']) =>
    storage.db
      .selectFrom('building_version')
      .select('recorded_at')
      .where('building', '=', ONE)
      .orderBy('version')
      .execute()
      .then((rows) => rows.map(({ recorded_at }) => recorded_at));

  const untold = `delete from page where building = ${ONE}`;
  const timed = (version: number, at: string) =>
    `update building_version set recorded_at = '${at}' where building = ${ONE} and version = ${version}`;
  const rowTimed = `update building set recorded_at = 'then' where id = ${ONE}`;
  it.each<[string, string[], (before: string[], now: string) => (string | undefined)[]]>([
    ['the record tells it', [timed(1, 'then'), timed(2, 'then'), rowTimed], (before) => before],
    ['the row of the building tells it', [untold, timed(2, 'then')], (before) => before],
    ['it is earlier than the one before, and the row tells it', [untold, timed(2, '2020-01-01T00:00:00Z')], (b) => b],
    ['it is later than the one after', [untold, timed(1, '2999-01-01T00:00:00Z')], ([, second]) => [second, second]],
    ['only the one after tells', [untold, timed(1, 'then')], ([, second]) => [second, second]],
    ['nothing tells', [untold, timed(1, 'then'), timed(2, 'then'), rowTimed], (_, now) => [now, now]],
  ])('VRF-11 mends the time of a version: %s', async (_, damages, expected) => {
    const { context, damage, close } = await openDamagedRegistry(await fresh());
    const before = await timesOf(context);
    const now = '2027-05-01T00:00:00.000Z';
    await damage(...damages);
    await repair({ ...context, now: () => now });
    expect(await timesOf(context)).toEqual(expected(before, now));
    expect(await differencesIn(context)).toEqual([]);
    await close();
  });

  it('VRF-11 rebuilds the index around a version that cannot be read', async () => {
    const { context, damage, close } = await openDamagedRegistry(await fresh());
    const version = `update building_version set canonical = ${bytes(engine, '01ff7f00')} where building = 1300000003`;
    await damage(version, 'delete from search_posting');
    const remarks: string[] = [];
    const remarked = (name: string) => void remarks.push(name);
    expect(await repair({ ...context, report: { ...context.report, remarked } })).toContainEqual(
      expect.stringMatching(/^missing search_posting /),
    );
    expect(remarks).toEqual(['ASSET-JP-13-00000003']);
    const left = await differencesIn(context);
    expect(left).toEqual([expect.stringMatching(/^unreadable building_version ASSET-JP-13-00000003 version 1: /)]);
    await close();
  });

  it.each(some(LOST))('VRF-04 names what cannot be repaired: %s', async (_, statement, found) => {
    const { context, damage, close } = await openDamagedRegistry(await fresh());
    await damage(...[statement(engine)].flat());
    expect(await repair(context)).toContainEqual(expect.stringMatching(found));
    expect(await differencesIn(context)).toContainEqual(expect.stringMatching(found));
    await close();
  });

  it.each(some(LINES))('VRF-16 names what an archived line says otherwise: %s', async (_, statement, found) => {
    const { context, damage, close } = await openDamagedRegistry(await fresh());
    const published = () => context.storage.db.selectFrom('page').select(['building', 'etag']).execute();
    const before = await published();
    await damage(...[statement(engine)].flat());
    expect(await repair(context)).toContainEqual(expect.stringMatching(found));
    expect(await differencesIn(context)).toContainEqual(expect.stringMatching(found));
    // What is published is all that is left of the evidence.
    expect(await published()).toEqual(before);
    await close();
  });

  it('VRF-08 VRF-11 names every damaged and missing file of the archive, and notes files that nothing names', async () => {
    const { context, env, database, close } = await openDamagedRegistry(await fresh());
    const files = (await context.storage.db.selectFrom('ingest').select('sha256').distinct().execute()).map(
      ({ sha256 }) => placeOf(context.archiveDir, sha256),
    );
    const [flipped, torn, lost] = files as [string, string, string];
    damaged(flipped, (bytes) =>
      Buffer.concat([bytes.subarray(0, 9), Buffer.from([(bytes[9] as number) ^ 1]), bytes.subarray(10)]),
    );
    damaged(torn, (bytes) => bytes.subarray(0, bytes.length - 1));
    rmSync(lost);
    writeFileSync(join(database.dir, 'archive', 'sha256', 'stray'), '');
    const { code, stdout, stderr } = await runHere(env, 'verify', '--only', 'archive', '--repair');
    expect(code).toBe(1);
    const nameOf = (path: string) => relative(context.archiveDir, path).replaceAll('\\', '/');
    for (const path of [flipped, torn]) {
      expect(stdout).toContain(`differs\tarchive\t${nameOf(path)}\tits bytes do not match its name`);
    }
    expect(stdout).toContain(`missing\tarchive\t${nameOf(lost)}\tingest `);
    expect(stdout).toMatch(/not repaired: 3 differences: 3 in archive$/m);
    expect(stderr).toContain('note\tarchive\tsha256/stray\tnothing names this file');
    expect((await runHere(env, 'status')).stdout.match(/^damaged file/gm)).toHaveLength(3);
    await close();
  });

  it('VRF-01 prints a line for each difference and a summary, and ends with exit code 1', async () => {
    const { env, damage, close } = await openDamagedRegistry(await fresh());
    const clean = await runHere(env, 'verify');
    expect(clean).toMatchObject({ code: 0, stderr: '' });
    expect(clean.stdout).toMatch(
      /^verified \d+ buildings from \d+ source records in \d+ statements\nno differences\n$/,
    );
    await damage(`delete from page where building = ${ONE}`);
    const found = await runHere(env, 'verify');
    expect(found.code).toBe(1);
    const [missing, logged, verified, summary, ...rest] = found.stdout.split('\n');
    expect(missing).toBe('missing\tpage\tASSET-JP-13-00000001');
    expect(logged).toBe('differs\tchange_block\tASSET-JP-13-00000001\tis not published, but the log says published');
    expect(verified).toMatch(/^verified /);
    expect([summary, ...rest]).toEqual(['2 differences: 1 in page, 1 in change_block', '']);
    expect((await runHere(env, 'verify', '--building', 'ASSET-JP-13-00000002')).code).toBe(0);
    expect((await runHere(env, 'verify', '--building', 'ASSET-JP-13-00000001')).code).toBe(1);
    expect((await runHere(env, 'verify', '--building', 'ASSET-JP-13-00000999')).code).toBe(1);
    expect((await runHere(env, 'verify', '--only', 'meshes')).code).toBe(0);
    expect((await runHere(env, 'verify', '--only', 'nothing')).code).toBe(2);
    const repaired = await runHere(env, 'verify', '--repair');
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toMatch(/\nrepaired\n$/);
    expect((await runHere(env, 'verify')).code).toBe(0);
    await close();
  });

  it('VRF-01 lists a bounded number of differences of each table, and escapes what a source wrote', async () => {
    const { env, damage, close } = await openDamagedRegistry(await fresh());
    const rows = Array.from({ length: 103 }, (_, i) => `('${i}\u001b[31m', 99999)`);
    await damage(`insert into link (name, record) values ${rows.join(', ')}`);
    const { code, stdout, stderr } = await runHere(env, 'verify', '--only', 'evidence');
    expect(code).toBe(1);
    expect(stdout.match(/^unresolved\tlink\t/gm)).toHaveLength(100);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('103 differences: 103 in link');
    expect(stderr).toContain('3 more of link are only counted; run again with --verbose to list them all');
    expect((await runHere(env, 'verify', '--verbose')).stdout.match(/^unresolved\tlink\t/gm)).toHaveLength(103);
    await close();
  });

  it('VRF-13 waits for a writer, and a writer waits for it', async () => {
    const { context, env, close } = await openDamagedRegistry(await fresh());
    const release = await context.storage.lockWriter(() => {}, 1_000);
    const verifying = runHere(env, 'verify', '--only', 'markers');
    let isDone = false;
    verifying.then(() => {
      isDone = true;
    });
    await sleep(300);
    expect(isDone).toBe(false);
    await release();
    const { code, stderr } = await verifying;
    expect(code).toBe(0);
    expect(stderr).toContain('another tatemono process is writing to this database; waiting for it to finish');
    await close();
  });

  it('VRF-13 the service answers while the registry is verified and repaired', async () => {
    const { context, database, damage, close } = await openDamagedRegistry(await fresh());
    const service = await startService(database);
    try {
      const paths = [assetUrl(id(1)), '/japan/api/v1/assets?q=Building', '/japan/tokyo/chiyoda-ku', '/readyz'];
      const asked: Promise<[string, number]>[] = [];
      const ask = async (path: string): Promise<[string, number]> => [path, (await service.get(path)).status];
      const report = { ...context.report, stage: () => void asked.push(...paths.map(ask)) };
      await damage('delete from search_posting');
      await asWriter({ ...context, report }, async () => {
        expect(await repair({ ...context, report })).toContainEqual(expect.stringMatching(/^missing search_posting /));
        // Only then is the lock released.
        expect((await Promise.all(asked)).filter(([, status]) => status !== 200)).toEqual([]);
      });
      expect(asked.length).toBeGreaterThan(paths.length * VERIFIED_PARTS.length);
      expect(await differencesIn(context)).toEqual([]);
      expect(await service.stop()).toEqual({ code: 0, stderr: '' });
    } finally {
      service.end();
    }
    await close();
  });
});
