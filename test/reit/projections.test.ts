import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { describeTable } from '../../src/cli/describe-publication.ts';
import type { Period } from '../../src/reit/publication/bundle.ts';
import { citationsAt } from '../../src/reit/publication/citations.ts';
import { describeInterest } from '../../src/reit/publication/describe-interest.ts';
import type { Document, Publication } from '../../src/reit/publication/document.ts';
import { periodsInOrder } from '../../src/reit/publication/periods.ts';
import { type CSV_COLUMNS, projectCsv } from '../../src/reit/publication/project-csv.ts';
import { projectJsonLd } from '../../src/reit/publication/project-json-ld.ts';
import { digestPublication } from '../../src/surfaces/mcp/digest/publication.ts';
import { CATALOGUE } from '../../src/surfaces/pages/catalogue/catalogue.ts';
import { reitMarkdown } from '../../src/surfaces/pages/reit/reit-markdown.ts';
import { reitTab } from '../../src/surfaces/pages/reit/reit-tab.ts';
import { textOf } from '../support/html-tree.ts';
import {
  agreeing,
  amount,
  anchorMap,
  anchors,
  BUILDING,
  bundleOf,
  bundleWith,
  draftOf,
  exampleBundle,
  revision,
} from './support.ts';

const OTHER = 'ASSET-JP-13-00000002';
const computedAt = '2026-02-01T09:00:00.000Z';
const published = (bundle: unknown, found = anchorMap(anchors(), anchors({ buildingId: OTHER }))): Publication => {
  const { id, document } = draftOf(bundle, found);
  return { id, computedAt, document };
};
type Row = Record<(typeof CSV_COLUMNS)[number], string>;
const rowsOf = (text: string): Row[] => parse(text, { columns: true, recordDelimiter: '\r\n' }) as Row[];
const csvOf = (bundle: unknown, building = BUILDING) => projectCsv(building, [published(bundle)]);
const rowOf = (bundle: unknown, metric = 'noi') => rowsOf(csvOf(bundle)).find((row) => row.metric === metric) as Row;

/** Two holdings, each in its own building. */
function twoBuildings() {
  const base = exampleBundle();
  const [holding, match] = [base.holdings[0], base.matches[0]];
  return {
    ...base,
    holdings: [holding, { ...holding, id: 'h2', nameJa: '別館' }],
    matches: [match, { ...match, holdingId: 'h2', buildingId: OTHER }],
    sourceRevisions: [...base.sourceRevisions, revision('r2', { '/h2/p21/noi': amount('7') })],
  };
}

describe('the CSV', () => {
  it('CSV-02 always has its columns in order', () => {
    const header =
      'buildingId,publicationId,computedAt,holdingId,holdingName,periodId,periodLabel,periodStart,periodEnd,metric,unit,' +
      'value,state,agreement,observations,citations,scale,decimals,rounding,revisionId,formulaVersion,inputRevisionIds\r\n';
    expect(projectCsv(BUILDING, [])).toBe(header);
    expect(csvOf(exampleBundle()).startsWith(header)).toBe(true);
  });

  it('CSV-01 has one row per metric, matched holding and period', () => {
    const { id, document } = published(twoBuildings());
    const rows = rowsOf(csvOf(twoBuildings()));
    expect(rows.map(({ metric }) => metric)).toEqual(document.metrics);
    expect(new Set(rows.map(({ holdingId }) => holdingId))).toEqual(new Set(['h1']));
    expect(rows[0]).toMatchObject({
      buildingId: BUILDING,
      publicationId: id,
      computedAt,
      holdingName: '見本館',
      periodId: 'p21',
      periodLabel: '第21期',
      periodStart: '2025-04-01',
      periodEnd: '2025-09-30',
    });
    expect(rowsOf(csvOf(twoBuildings(), OTHER)).every(({ holdingName }) => holdingName === '別館')).toBe(true);
    expect(rowsOf(csvOf(twoBuildings(), 'ASSET-JP-13-00000009'))).toEqual([]);
  });

  it('CSV-02 a row has the consensus, and the value of each source with its citations', () => {
    const stated = amount('57000000', { scale: 6, decimals: -6, rounding: 'truncate' });
    const citations = [{ sourceUrl: 'https://e.example/r1', locator: '表3' }];
    const row = rowOf(exampleBundle());
    expect(row).toMatchObject({
      unit: 'JPY',
      value: '57000000',
      state: 'recorded',
      agreement: 'singleSource',
      revisionId: 'r1',
    });
    expect(JSON.parse(row.observations)).toEqual([{ revisionId: 'r1', path: '/h1/p21/noi', value: stated, citations }]);
    expect(JSON.parse(row.citations)).toEqual(citations);
    expect(row).toMatchObject({ formulaVersion: '', inputRevisionIds: '' });
  });

  it('CSV-02 abstentions are listed, and revisionId is given only for a single observation', () => {
    const alone = rowOf(agreeing(amount('5'), null));
    expect(JSON.parse(alone.observations)).toHaveLength(2);
    expect(alone).toMatchObject({ agreement: 'singleSource', revisionId: '' });
    expect(rowOf(agreeing(amount('5')))).toMatchObject({ agreement: 'singleSource', revisionId: 'r1' });
    expect(rowOf(agreeing(amount('5'), amount('5')))).toMatchObject({ agreement: 'agreed', revisionId: '' });
    expect(rowOf(agreeing(null))).toMatchObject({ agreement: 'missing', revisionId: 'r1' });
  });

  it('CSV-02 a derived amount has its formula and its inputs', () => {
    const bundle = bundleWith([
      revision('r1', { appraisalValue: amount('19') }),
      revision('r2', { bookValue: amount('24') }),
    ]);
    expect(rowOf(bundle, 'unrealizedGain')).toMatchObject({
      value: '-5',
      state: 'derived',
      formulaVersion: 'unrealized-gain/1',
      inputRevisionIds: '["r1","r2"]',
      scale: '',
    });
  });

  it('CSV-03 only the state zero is written as zero, and a disputed metric has no value', () => {
    expect(rowOf(agreeing(null))).toMatchObject({ value: '', state: 'missing', agreement: 'missing', unit: '' });
    expect(rowOf(agreeing(amount('5'), amount('6')))).toMatchObject({
      value: '',
      state: 'conflict',
      agreement: 'conflict',
    });
    expect(rowOf(agreeing({ state: 'unresolved', reasonCode: 'x' }))).toMatchObject({
      value: '',
      state: 'unresolved',
      agreement: 'unresolved',
    });
    expect(rowOf(agreeing({ state: 'notDisclosed' }))).toMatchObject({ value: '', state: 'notDisclosed' });
    expect(rowOf(agreeing(amount('0.00')))).toMatchObject({ value: '0', state: 'zero' });
    const dated = bundleWith([
      revision('r1', { acquisitionDate: { state: 'recorded', date: '2025-03-28', precision: 'day' } }),
    ]);
    expect(rowOf(dated, 'acquisitionDate')).toMatchObject({ value: '2025-03-28', state: 'recorded', unit: '' });
  });

  it('CSV-03 scale, decimals and rounding are empty whatever the agreement', () => {
    for (const bundle of [
      exampleBundle(),
      agreeing(amount('5'), amount('5')),
      agreeing(amount('5'), amount('6')),
      agreeing(null),
    ]) {
      for (const row of rowsOf(csvOf(bundle))) expect(row).toMatchObject({ scale: '', decimals: '', rounding: '' });
    }
  });

  const named = (nameJa: string, locator = '表3') => {
    const base = exampleBundle();
    const citations = [{ sourceUrl: 'https://e.example/r1', locator }];
    const fields = [{ path: '/h1/p21/noi', value: amount('-5'), citations }];
    return {
      ...base,
      holdings: [{ ...base.holdings[0], nameJa }],
      sourceRevisions: [revision('r1', {}, { lineageId: 'l1', fields })],
    };
  };

  /** https://owasp.org/www-community/attacks/CSV_Injection: the characters that a cell must not begin with. */
  const OWASP = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
  /** The same after programs trim white space, strip quotes or normalise signs. */
  const VARIANTS = [
    ' =',
    '\u3000=',
    '\u00a0+',
    '\ufeff=',
    '\u200b@',
    '"=',
    '" -',
    '\u2212',
    '﹣',
    '﹢',
    '﹦',
    '﹫',
    '\t\t',
    '\n＝',
  ];

  it.each([...OWASP, ...VARIANTS].map((start) => `${start}cmd|'/C calc'!A0`))(
    'CSV-04 a text that begins like %j is made inert',
    (name) => {
      expect(rowOf(named(name)).holdingName).toBe(`'${name}`);
    },
  );

  it.each(['=HYPERLINK("http://x.example";"y")', '－5', '\u22125', '+1+1', '-1+1', '-5%', '-.5', '-1e3'])(
    'CSV-04 %j is text, and made inert',
    (name) => {
      expect(rowOf(named(name)).holdingName).toBe(`'${name}`);
    },
  );

  it.each(['見本館', 'A-01', '1=1', '’=1', '(-5)', '0', '-0.50', '12'])('CSV-04 %j is left as it is', (name) => {
    expect(rowOf(named(name)).holdingName).toBe(name);
  });

  it('CSV-04 a separator of another locale inside a text stays inside its quotes', () => {
    expect(csvOf(named('館;=1+1'))).toContain(',"館;=1+1",');
  });

  it('CSV-04 a number below zero is left as it is', () => {
    expect(rowOf(named('館')).value).toBe('-5');
    expect(csvOf(named('館'))).toContain(',JPY,-5,recorded,');
  });

  it('CSV-04 quotes, commas and new lines survive, and lists are one quoted cell', () => {
    const hostile = '表"3",\r\n=cmd|x\n';
    const text = csvOf(named('見,本"館\n', hostile));
    const row = rowsOf(text).find(({ metric }) => metric === 'noi') as Row;
    expect(row.holdingName).toBe('見,本"館\n');
    expect(JSON.parse(row.observations)[0].citations[0].locator).toBe(hostile);
    expect(JSON.parse(row.citations)[0].locator).toBe(hostile);
    expect(text).toContain('"[{""revisionId"":""r1""');
    expect(csvOf(agreeing(null))).toContain('"[]"');
  });

  it('CSV-04 an ordinary reader gets back any name, with at most an apostrophe before it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (name) => {
        const [publication] = [published(exampleBundle())];
        const holdings = publication.document.holdings.map((holding) => ({ ...holding, nameJa: name }));
        const text = projectCsv(BUILDING, [{ ...publication, document: { ...publication.document, holdings } }]);
        for (const { holdingName } of rowsOf(text)) {
          expect([name, `'${name}`]).toContain(holdingName);
          const start = holdingName.replace(/^[\s"]+/, '').normalize('NFKC');
          const isRisky = /^[=+\-@]/.test(start) || /^[\t\r\n]/.test(holdingName);
          expect(isRisky && !/^-?\d+(\.\d+)?$/.test(holdingName)).toBe(false);
        }
      }),
      { endOnFailure: true, numRuns: 200 },
    );
  });

  it('REIT-02 a document without agreement gives no rows', () => {
    const { id, document } = published(exampleBundle());
    const { agreement, ...older } = document;
    expect(rowsOf(projectCsv(BUILDING, [{ id, computedAt, document: older }]))).toEqual([]);
    expect(projectJsonLd(BUILDING, [{ id, computedAt, document: older }], '', new Set())).toMatchObject({
      dataset: [{ identifier: id }],
    });
  });
});

describe('the JSON-LD', () => {
  const origin = 'https://tatemono.example';
  const of = (bundle: unknown, isInJson = true, building = BUILDING) => {
    const publication = published(bundle);
    return {
      publication,
      catalog: projectJsonLd(building, [publication], origin, new Set(isInJson ? [publication.id] : [])),
    };
  };

  it('LD-01 is a DataCatalog of Datasets, with a link to the JSON', () => {
    const { publication, catalog } = of(exampleBundle());
    expect(catalog).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'DataCatalog',
      dataset: [
        {
          '@type': 'Dataset',
          identifier: publication.id,
          dateModified: computedAt,
          about: { '@type': 'Place', identifier: BUILDING },
          citation: [
            { '@type': 'CreativeWork', url: 'https://e.example/r1', description: '表3' },
            { '@type': 'CreativeWork', url: 'https://e.example/r1', description: '表5' },
            { '@type': 'CreativeWork', url: 'https://e.example/r1', description: '表6' },
          ],
          distribution: { contentUrl: `${origin}/japan/api/v1/assets/${BUILDING}/reit` },
        },
      ],
    });
  });

  it('LD-01 omits the link if the JSON is denied, and contains no amount', () => {
    const { catalog } = of(exampleBundle(), false);
    expect(catalog.dataset[0]).not.toHaveProperty('distribution');
    expect(JSON.stringify(catalog)).not.toMatch(/57000000|amount|value/);
    expect(projectJsonLd(BUILDING, [], origin, new Set()).dataset).toEqual([]);
  });

  it('REIT-14 cites only the holdings matched to the building', () => {
    const { catalog } = of(twoBuildings(), true, OTHER);
    expect(catalog.dataset[0]?.citation.map(({ url }) => url)).toEqual(['https://e.example/r2']);
    const { document } = published(twoBuildings());
    expect(citationsAt(document, BUILDING).some(({ sourceUrl }) => sourceUrl.endsWith('r2'))).toBe(false);
  });
});

describe('an interest', () => {
  it.each([
    [
      'trustBeneficiary',
      'quasiCoOwnership',
      [1, 2],
      'a 1/2 quasi-co-ownership, not the whole building (a trust beneficiary right)',
    ],
    ['realProperty', 'whole', [1, 1], 'a whole interest (real property)'],
    ['realProperty', 'sectional', null, 'a sectional ownership, not the whole building (real property)'],
    ['equityStake', 'whole', null, 'a whole interest, not the whole building (an equity stake)'],
  ] as const)('REIT-15 %s, %s, %j is described in words', (type, tenure, share, text) => {
    const fraction = share && { numerator: share[0], denominator: share[1] };
    expect(describeInterest({ type, tenure, share: fraction } as Document['holdings'][number]['interest'])).toBe(text);
  });
});

/** The text of a publication on each surface. */
const inWords = (bundle: unknown): Record<string, string> => {
  const publication = published(bundle);
  return {
    page: textOf(parseFragment(String(reitTab(CATALOGUE.en, [publication], BUILDING)))),
    markdown: reitMarkdown(CATALOGUE.en, [publication], BUILDING, 'https://registry.example'),
    mcp: digestPublication(BUILDING, publication),
    table: describeTable(publication.document).join('\n'),
  };
};

describe('what a publication covers', () => {
  const covering = (coverage: string, interest: object) => {
    const base = exampleBundle();
    return {
      ...base,
      holdings: [{ ...base.holdings[0], interest }],
      matches: [{ ...base.matches[0], coverage }],
    };
  };
  const half = { type: 'trustBeneficiary', tenure: 'quasiCoOwnership', share: { numerator: 1, denominator: 2 } };
  const all = { type: 'realProperty', tenure: 'whole', share: null };
  const COVERED = { whole: 'covers the whole building', part: 'covers a part of the building' } as const;

  it.each([
    ['whole', half, 'The interest of the REIT in it is a 1/2 quasi-co-ownership, not the whole building (a trust'],
    [
      'part',
      half,
      'The interest of the REIT in that part is a 1/2 quasi-co-ownership, not the whole building (a trust',
    ],
    ['whole', all, 'The interest of the REIT in it is a whole interest (real property)'],
    ['part', all, 'The interest of the REIT in that part is a whole interest (real property)'],
    [
      'part',
      { ...all, tenure: 'sectional' },
      'The interest of the REIT in that part is a sectional ownership, not the whole building (real property)',
    ],
  ] as const)(
    'REIT-15 coverage %s is stated on every surface, separate from the interest %j',
    (coverage, interest, said) => {
      const bundle = covering(coverage, interest);
      const catalog = projectJsonLd(BUILDING, [published(bundle)], '', new Set());
      const texts = { ...inWords(bundle), jsonld: catalog.dataset[0]?.description ?? '' };
      for (const [surface, text] of Object.entries(texts)) {
        expect(text, surface).toContain(COVERED[coverage]);
        expect(text, surface).not.toContain(COVERED[coverage === 'part' ? 'whole' : 'part']);
        if (surface !== 'jsonld') expect(text, surface).toContain(said);
      }
    },
  );

  it('REIT-15 another coverage is quoted as stated', () => {
    for (const text of Object.values(inWords(covering('floors-3-to-5', all)))) {
      expect(text).toContain('its coverage of the building as floors-3-to-5.');
      expect(text).not.toMatch(/covers (a part|the whole)/);
    }
  });
});

it('REIT-04 every surface describes the basis of amounts and unstated dates in the same way', () => {
  const base = exampleBundle();
  const bundle = {
    ...base,
    holdings: [{ ...base.holdings[0], amountBasis: 'whole' }],
    transactions: base.transactions.map((row) => ({ ...row, contractDate: null, shareDelta: null })),
  };
  const { page = '', markdown = '', ...others } = inWords(bundle);
  for (const text of [page, markdown, ...Object.values(others)])
    expect(text).toMatch(/mounts are for the whole property/);
  expect(markdown).toContain('| acquisition | not stated | 2025-03-28 | not stated | notDisclosed |');
  expect(page).toMatch(/acquisition (\[\d+\] ?)*not stated ?28 March 2025 ?not stated ?not disclosed/);
  expect(markdown).toContain('| 2025-03-28 | ongoing | 1/2 |');
  expect(page).toMatch(/28 March 2025 (\[\d+\] ?)*ongoing ?1\/2/);
});

describe('the latest figures', () => {
  /** Ordinals and IDs that contradict the calendar, and a last period in which nothing is stated. */
  const periods = [
    { id: 'p10', ordinal: 30, labelJa: '甲期', startDate: '2024-04-01', endDate: '2024-09-30', days: 183 },
    { id: 'p9', ordinal: 20, labelJa: '乙期', startDate: '2024-10-01', endDate: '2025-03-31', days: 182 },
    { id: 'p8', ordinal: 10, labelJa: '丙期', startDate: '2025-04-01', endDate: '2025-09-30', days: 183 },
  ];
  const bundle = bundleWith([revision('r1', { '/h1/p10/noi': amount('10'), '/h1/p9/noi': amount('9') })], { periods });

  it('REIT-04 are of the same period on every surface: the last to end with a stated figure', () => {
    const { page, markdown, mcp, table } = inWords(bundle);
    expect(page).toMatch(/Latest figures, 乙期\s+1 October 2024 to 31 March 2025/);
    expect(markdown).toContain('Latest figures: 乙期 (2024-10-01 to 2025-03-31)');
    expect(mcp).toMatch(/乙期 \(2024-10-01 to 2025-03-31, the latest\):\n\n- noi: 9 JPY[\s\S]+甲期 [\s\S]+noi: 10 JPY/);
    expect(mcp).not.toContain('丙期');
    expect(table).toContain('latest figures: p9 乙期');
    expect(table).toMatch(/p10 甲期 [\s\S]+p9 乙期 [\s\S]+p8 丙期/);
  });

  it('REIT-04 periods that end on the same day are ordered by their ordinals', () => {
    const [first, second, third] = periods as [Period, Period, Period];
    const twins = [{ ...second, id: 'a', ordinal: 2 }, { ...second, id: 'b', ordinal: 1 }, first, third];
    for (const order of [twins, twins.toReversed()]) {
      expect(periodsInOrder(order).map(({ id }) => id)).toEqual(['p10', 'b', 'a', 'p8']);
    }
  });
});

it('REIT-03 a document never contains the location of a file', () => {
  const withRef = { ...exampleBundle().sourceRevisions[0], rawPayloadRef: 'sha256:1' };
  expect(() => bundleOf(exampleBundle({ sourceRevisions: [withRef] }))).toThrow(
    '/sourceRevisions/0/rawPayloadRef: unknown key',
  );
});
