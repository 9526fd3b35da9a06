import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_ROOT } from '../../../src/surfaces/http/surface.ts';
import { isToCome } from '../../../src/surfaces/pages/building/figures.ts';
import { CATALOGUE } from '../../../src/surfaces/pages/catalogue/catalogue.ts';
import { FIELD_LABELS, METHOD_LABELS, SOURCE_NAMES } from '../../../src/surfaces/pages/catalogue/labels.ts';
import { formatDay } from '../../../src/surfaces/pages/format.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { gradeDisagreement } from '../../../src/vocabulary/disagreement.ts';
import type { ScalarField } from '../../../src/vocabulary/fields.ts';
import { FIELDS, SCALAR_FIELDS } from '../../../src/vocabulary/fields.ts';
import { onBothEngines, onSqlite } from '../../support/engines.ts';
import {
  attributeOf,
  canonicalOf,
  type Element,
  linksOf,
  readHtml,
  select,
  selectOne,
  textOf,
} from '../../support/html-tree.ts';
import { expectPageConventions, expectStrictPolicy } from '../../support/page-answers.ts';
import { HUBS, openPageTown, TOWN, TOWN_LIVE, townPath } from '../../support/page-town.ts';
import { building } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { assetUrl } from '../../support/serving.ts';
import { variedRegistry } from '../../support/varied-registry.ts';

type Provenance = BuildingPage['assetTypes'][number]['provenance'];

/** Text as a page shows it: without control characters, on one line. */
const shown = (text: string) =>
  text
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const TENURE: Readonly<Record<string, string>> = { sale: 'for sale', rental: 'for rent', mixed: 'for sale and rent' };

/** The figure that a text states, without grouping, sign and unit. */
const figureIn = (text: string) => Number(text.replace(/[^\d.]/g, ''));

function expectFigure(cell: Element, field: ScalarField, value: string | number, isComputed = false): void {
  if (typeof value === 'number') {
    const number = selectOne(cell, 'data');
    expect(attributeOf(number, 'value')).toBe(String(value));
    if (isComputed) {
      expect(textOf(number)).toMatch(/^about /);
      expect(figureIn(attributeOf(number, 'title') ?? '')).toBe(value);
      expect(figureIn(textOf(number))).toBe(Number(value.toPrecision(2)));
    } else expect(figureIn(textOf(number))).toBe(value);
  } else if (field === 'tenure') expect(textOf(cell)).toContain(TENURE[value]);
  else if (['month', 'date'].includes(FIELDS[field].type.kind)) {
    expect(attributeOf(selectOne(cell, 'time'), 'datetime')).toBe(value);
  } else expect(textOf(cell)).toContain(shown(value));
}

function expectEvidence(cell: Element, provenance: Provenance): void {
  const { source, sourceRecordId, sourceUrl, retrievedAt, confidence, extractionMethod } = provenance;
  const chip = selectOne(cell, '.chip');
  expect(textOf(chip)).toBe(SOURCE_NAMES[source].en);
  expect(attributeOf(chip, 'href')).toBe(source === 'dnk' ? undefined : new URL(sourceUrl).href);
  const how = attributeOf(chip, 'title') ?? '';
  expect(how).toContain(METHOD_LABELS[extractionMethod].en);
  if (source !== 'dnk') expect(how).toContain(`record ${sourceRecordId}`);
  const time = selectOne(cell, 'time');
  expect([attributeOf(time, 'datetime'), textOf(time)]).toEqual([retrievedAt, formatDay(CATALOGUE.en, retrievedAt)]);
  expect(textOf(selectOne(cell, '.confidence'))).toBe(`Confidence ${confidence}`);
}

const TODAY = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);

/** The nodes of the structured data of a page. */
const graphOf = (page: ReturnType<typeof readHtml>) =>
  JSON.parse(textOf(selectOne(page, 'script[type=application/ld+json]')))['@graph'] as Record<string, unknown>[];

/** PAG-09, REC-13: the page shows every field of the record, and no other. */
function expectRecordShown(html: string, record: BuildingPage): void {
  const page = readHtml(html);
  const { fields, assetTypes, aliases, footprint, nearby, location } = record;
  for (const name of SCALAR_FIELDS) {
    const field = fields[name];
    const rows = select(page, `tr#${name}`);
    expect(rows.length, name).toBe(field === undefined ? 0 : 1);
    if (field === undefined) continue;
    const row = rows[0] as Element;
    const label = isToCome(name, fields, TODAY) ? 'Planned' : FIELD_LABELS[name].en;
    expect(textOf(selectOne(row, 'th'))).toContain(label);
    const [value, evidence] = select(row, 'td') as [Element, Element];
    expectEvidence(evidence, field.provenance);
    const isInherited = field.inheritedFrom !== undefined;
    expectFigure(select(value, '.figure')[0] as Element, name, field.value, field.estimated && !isInherited);
    const others = select(value, '.others li');
    expect(others.length > 0, name).toBe(field.conflict !== null);
    if (field.conflict !== null) {
      const { conflict } = field;
      const isSlight = gradeDisagreement(name, field.value, conflict.value).kind === 'slight';
      expect(attributeOf(others[0] as Element, 'class') ?? '').toBe(isSlight ? 'also' : 'differs');
      expectFigure(selectOne(others[0] as Element, '.figure'), name, conflict.value);
      expect(textOf(others[0] as Element)).toContain(SOURCE_NAMES[conflict.source].en);
      expect(select(others[0] as Element, '.who time').length).toBeGreaterThan(0);
    }
    const flags = select(value, '.flag').map(textOf).join();
    expect(flags.includes('Estimated'), name).toBe(field.estimated && !isInherited);
    expect(flags.includes('complex'), name).toBe(isInherited);
    const complex = field.inheritedFrom?.nameEn ?? field.inheritedFrom?.nameJa;
    if (complex != null) expect(flags).toContain(shown(complex));
    expect(/paid|premium/.test(flags)).toBe(field.tier !== 'free');
  }
  const missing = select(page, '.facts .unknown').map(textOf).join();
  for (const name of SCALAR_FIELDS) {
    if (fields[name] === undefined) expect(missing).toContain(FIELD_LABELS[name].en);
  }
  const uses = select(page, 'section[aria-labelledby=uses] tr').slice(1);
  expect(uses.length).toBe(assetTypes.length);
  for (const [i, { value, provenance }] of assetTypes.entries()) {
    expect(textOf(selectOne(uses[i] as Element, 'q'))).toBe(shown(value));
    expectEvidence(uses[i] as Element, provenance);
  }
  const names = select(page, 'section[aria-labelledby=aliases] tr').slice(1);
  expect(names.length).toBe(aliases.length);
  for (const [i, { value, provenance }] of aliases.entries()) {
    expect(textOf(selectOne(names[i] as Element, 'th'))).toBe(shown(value));
    expectEvidence(names[i] as Element, provenance);
  }
  const caption = selectOne(page, '.caption');
  if (footprint !== null) expectEvidence(caption, footprint.provenance);
  if (location.lat === null) expect(textOf(caption)).toContain('Location not available');
  const near = select(page, '.near li');
  expect(near.map((row) => linksOf(row)[0])).toEqual(nearby.map(({ path }) => path));
  for (const [i, { nameJa, nameEn, distanceM }] of nearby.entries()) {
    expect(textOf(near[i] as Element)).toContain(shown(nameJa ?? nameEn ?? 'Unnamed building'));
    expect(textOf(near[i] as Element)).toContain(`${Math.round(distanceM)} m`);
  }
}

onBothEngines('the page of a building', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const bodyOf = async (url: string) => {
    const { status, body } = await town.get(url);
    expect([url, status]).toEqual([url, 200]);
    return body;
  };
  const read = async (url: string) => readHtml(await bodyOf(url));
  const recordOf = async (buildingId: string) =>
    JSON.parse((await town.get(assetUrl(buildingId))).body) as BuildingPage;

  it('PAG-09 REC-13 shows every field of the record, with its source, conflict, estimate and inheritance', async () => {
    const everything = await recordOf(TOWN.everything);
    expect(Object.keys(everything.fields).sort()).toEqual([...SCALAR_FIELDS].sort());
    expect(everything.counters.conflictsFlagged).toBeGreaterThan(8);
    for (const buildingId of TOWN_LIVE) {
      const record = await recordOf(buildingId);
      expectRecordShown(await bodyOf(record.path), record);
    }
  });

  it('PAG-09 marks inherited values with their complex, computed ones as estimated and planned ones as planned', async () => {
    const { fields } = await recordOf(TOWN.inheriting);
    expect([fields.yearBuilt?.inheritedFrom, fields.gfaM2?.provenance.source]).toEqual([
      { nameJa: '乙シティ', nameEn: 'Otsu City' },
      'dnk',
    ]);
    const page = await read(townPath(TOWN.inheriting));
    for (const field of ['yearBuilt', 'architect']) {
      const flags = select(page, `#${field} .flag`).map(textOf);
      expect(flags).toEqual(['from Otsu City (complex)']);
    }
    expect(textOf(selectOne(page, '#gfaM2 .flag'))).toBe('Estimated: footprint × floors');
    const planned = await read(townPath(TOWN.planned));
    for (const field of ['completionMonth', 'yearBuilt']) {
      expect(textOf(selectOne(planned, `#${field} .flag`))).toBe('Planned');
    }
  });

  it('PAG-09 tabs show the venues, every source record with its published fields, and the versions', async () => {
    const record = await recordOf(TOWN.everything);
    const venues = select(await read(`${record.path}?tab=venues`), '.venues li');
    expect(venues.length).toBe(record.venues.length);
    for (const [i, { nameJa, nameEn, category, level, provenance }] of record.venues.entries()) {
      const text = textOf(venues[i] as Element);
      for (const part of [nameJa, nameEn, category.replaceAll('_', ' ')])
        if (part !== null) expect(text).toContain(part);
      if (level !== null) expect(text).toContain(`floor ${level}`);
      expectEvidence(venues[i] as Element, provenance);
    }
    const sources = select(await read(`${record.path}?tab=sources`), 'section.record');
    expect(sources.length).toBe(record.sources.length);
    for (const [i, { source, sourceRecordId, sourceUrl, fields }] of record.sources.entries()) {
      const section = sources[i] as Element;
      expect(textOf(selectOne(section, 'h3'))).toBe(`${SOURCE_NAMES[source].en} ${sourceRecordId}`);
      const lookUp = `${API_ROOT}/source-records?${new URLSearchParams({ source, id: sourceRecordId })}`;
      expect(linksOf(section)).toEqual([sourceUrl, lookUp]);
      const won = select(section, 'tr.published th').map(textOf);
      const labels = fields.map((field) => FIELD_LABELS[field as ScalarField].en);
      expect(new Set(won.filter((label) => label !== 'Outline' && label !== 'Venues'))).toEqual(new Set(labels));
    }
    const versions = select(await read(`${record.path}?tab=history`), '.timeline .version');
    expect(versions.map((version) => attributeOf(selectOne(version, 'time'), 'datetime'))).toEqual(
      record.history.map(({ recordedAt }) => recordedAt),
    );
    for (const [i, { version, changedFields }] of record.history.entries()) {
      expect(textOf(versions[i] as Element)).toContain(`Version ${version}`);
      const labels = changedFields.map((name) => FIELD_LABELS[name as ScalarField]?.en ?? '');
      for (const label of labels) expect(textOf(versions[i] as Element)).toContain(label);
    }
  });

  it('links lead to every tab, and an unknown tab shows the overview', async () => {
    const path = townPath(TOWN.everything);
    const tabs = linksOf(await read(path), 'nav.tabs a');
    expect(tabs).toEqual([path, ...['venues', 'sources', 'history', 'reit'].map((tab) => `${path}?tab=${tab}`)]);
    for (const tab of tabs) {
      const page = await read(tab);
      expect(linksOf(page, 'nav.tabs [aria-current=page]')).toEqual([tab]);
      expect(canonicalOf(page)).toBe(`http://localhost${path}`);
    }
    for (const odd of [
      'tab=',
      'tab=OVERVIEW',
      'tab=x',
      'tab=%00',
      'tab=__proto__',
      'q=x&page=7',
      '?',
      'tab=overview',
    ]) {
      expect(await bodyOf(`${path}?${odd}`)).toBe(await bodyOf(path));
    }
  });

  it('PAG-09 PAG-14 is at its pretty path, which is its canonical URL', async () => {
    for (const buildingId of [TOWN.everything, TOWN.bare, TOWN.osaka]) {
      const { path } = await recordOf(buildingId);
      const page = await read(path);
      expect(canonicalOf(page)).toBe(`http://localhost${path}`);
      expect(path).toMatch(new RegExp(`^/japan/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+/${buildingId}$`));
      expect(linksOf(page, 'nav.crumbs a')).toEqual(
        path
          .split('/')
          .slice(1, -1)
          .map((_, i) =>
            path
              .split('/')
              .slice(0, i + 2)
              .join('/'),
          ),
      );
      const links = linksOf(page, '.cite a');
      expect(links).toContain(`http://localhost/japan/id/${buildingId}`);
      expect(links).toContain(`http://localhost${path}.md`);
    }
  });

  it('JSON-LD has the values of the record', async () => {
    const record = await recordOf(TOWN.everything);
    const page = await read(record.path);
    const [data] = graphOf(page);
    expect(data).toMatchObject({
      '@type': 'Place',
      identifier: record.id,
      name: record.fields.nameJa?.value,
      url: `http://localhost${record.path}`,
      geo: { latitude: record.location.lat, longitude: record.location.lon },
    });
    const properties = data?.additionalProperty as { propertyID: ScalarField; value: unknown }[];
    for (const { propertyID, value } of properties) expect(value).toBe(record.fields[propertyID]?.value);
  });

  it('CON-12 JSON-LD names the Wikidata item of the building, never that of its complex', async () => {
    const sameAs = async (buildingId: string) => {
      const page = await read((await recordOf(buildingId)).path);
      return graphOf(page)[0]?.sameAs;
    };
    expect(await sameAs(TOWN.everything)).toEqual(['https://osm.example/way/1', 'https://wikidata.example/Q1']);
    // Values are inherited from one complex; those of the other are outranked by the building's own.
    expect(await sameAs(TOWN.inheriting)).toEqual(['https://osm.example/way/2']);
    const tab = await read(`${(await recordOf(TOWN.inheriting)).path}?tab=sources`);
    const [inherited, outranked] = select(tab, 'section.record').slice(-2).map(textOf);
    expect(inherited).toMatch(/Year built 1999 published/);
    expect(outranked).toMatch(/Year built 1998 differs by 1 year/);
  });

  it.each([TOWN.everything, TOWN.bare])('%s has an ETag per tab, and allows only GET and HEAD', async (buildingId) => {
    const { path } = await recordOf(buildingId);
    const tags = new Set<unknown>();
    for (const rest of ['', '?tab=venues', '?tab=sources', '?tab=history']) {
      const { headers } = await expectPageConventions(town, `${path}${rest}`);
      expectStrictPolicy(headers);
      expect(headers.vary).toBe('Accept, Accept-Encoding, Accept-Language, Cookie, Host');
      tags.add(headers.etag);
    }
    expect(tags.size).toBe(4);
  });

  it.each([
    ['another machi-aza', `/japan/tokyo/chiyoda-ku/marunouchi-2-chome/${TOWN.everything}`],
    ['another prefecture', `/japan/osaka/kita-ku/umeda/${TOWN.everything}`],
    ['no area at all', `/japan/x/y/z/${TOWN.everything}`],
    ['another case', `/japan/Tokyo/chiyoda-ku/marunouchi-1-chome/${TOWN.everything}`],
    ['escapes', `/japan/%3Cb%3E/%00/${encodeURIComponent('丸の内')}/${TOWN.everything}`],
    ['its permanent path', `/japan/id/${TOWN.everything}`],
    ['a retired ID', `/japan/id/${TOWN.retiredInto.from}`],
    ['a retired ID with areas', townPath(TOWN.retiredInto.from)],
  ])('PAG-12 ID-04 under %s it redirects to its pretty path, keeping query and suffix', async (_, path) => {
    const target = townPath(TOWN.everything);
    for (const [rest, to] of [
      ['', target],
      ['.md', `${target}.md`],
      ['?tab=sources', `${target}?tab=sources`],
      ['.md?a=b&c=d', `${target}.md?a=b&c=d`],
    ]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await town.app.inject({ method, url: `${path}${rest}` });
        expect([answer.statusCode, answer.headers.location]).toEqual([301, to]);
      }
    }
    const negotiated = await town.get(path, { accept: 'text/markdown' });
    expect([negotiated.status, negotiated.headers.location]).toEqual([301, target]);
  });

  it('PAG-12 ID-04 a chain of merges redirects to its end in one step', async () => {
    const [first, second, last] = TOWN.chain;
    for (const gone of [first, second]) {
      for (const path of [`/japan/id/${gone}`, townPath(gone)]) {
        expect((await town.get(path)).headers.location).toBe(townPath(last));
        expect((await town.get(`${path}.md`)).headers.location).toBe(`${townPath(last)}.md`);
      }
    }
    expect((await town.get(townPath(last))).status).toBe(200);
  });

  it('changes only with its record', async () => {
    const served = await openPageTown(await fresh());
    const path = townPath(TOWN.planned);
    const before = await served.get(path);
    expect((await served.get(path)).headers.etag).toBe(before.headers.etag);
    const change = { retrievedAt: '2026-01-05T00:00:00Z', rawPayloadRef: 'sha256:bb' };
    await served.ingest([building(3, { nameJa: '新しい名', assetTypes: 'apartments' }, change)]);
    const after = await served.get(path);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(textOf(selectOne(readHtml(after.body), 'h1'))).toBe('新しい名');
    expect((await served.get(`${path}.md`)).body).toContain('# 新しい名');
    await served.close();
  });

  it('a building without a name, an outline or a location has a page', async () => {
    const page = await read(`${HUBS.ward}/marunouchi-2-chome/${TOWN.bare}`);
    expect(textOf(selectOne(page, 'h1'))).toBe('Unnamed building');
    expect(textOf(selectOne(page, '.uses'))).toContain('Unspecified');
    const english = await read(`${HUBS.ward}/marunouchi-2-chome/${TOWN.onlyEnglish}`);
    expect(textOf(selectOne(english, 'h1'))).toBe('English House');
  });
});

describe('the page of any building', () => {
  onSqlite('of a varied registry', (fresh) => {
    it('PAG-09 REC-13 shows the record that the API returns', async () => {
      const served = await openServedRegistry(await fresh());
      const { ids, stages } = variedRegistry(11);
      for (const stage of stages.slice(0, 3)) await stage.run(served);
      const records = await served.readAll(ids);
      for (const { page: record } of records.filter((_, i) => i % 4 === 0)) {
        const { status, body } = await served.get(record.path);
        expect(status).toBe(200);
        expectRecordShown(body, record);
        expect(textOf(selectOne(readHtml(body), 'h1'))).toBe(
          shown(String(record.fields.nameJa?.value ?? record.fields.nameEn?.value ?? 'Unnamed building')),
        );
      }
      await served.close();
    });
  });
});
