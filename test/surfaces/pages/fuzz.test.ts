import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../../support/engines.ts';
import { attributeOf, elementsOf, readHtml, selectOne, textOf } from '../../support/html-tree.ts';
import { HUBS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import { expectNothingInside } from '../../support/serving.ts';
import { randomRuns } from '../../support/test-length.ts';
import { TRAPS } from '../../support/trap-texts.ts';

/** Creates an element or an attribute wherever it is not escaped. */
const PROBE = `"'><probe probe="`;

const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
const bytes = fc.uint8Array({ maxLength: 8 }).map((values) => [...values].map(percent).join(''));
const trap = fc.constantFrom(...TRAPS, PROBE, '../..', '\u202e', '\ufdd0', '\0').map(encodeURIComponent);
const junk = fc.string({ unit: fc.constantFrom(...'%0aF&=+,;#"<>/\\-.q'), maxLength: 12 });
const text = fc.oneof(trap, trap, bytes, junk, fc.string({ unit: 'binary', maxLength: 10 }).map(safeEncode));

function safeEncode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

const NAMES = [
  ...['q', 'type', 'page', 'floorsMin', 'floorsMax', 'heightMin', 'heightMax', 'builtMin', 'builtMax', 'has', 'sort'],
  ...['prefecture', 'ward', 'machiAza', 'tab', 'Q', '__proto__', 'constructor', ''],
];
const known = fc.constantFrom(
  ...[
    'office',
    'hotel,retail',
    '2',
    '3',
    '-1',
    '50',
    '1e9',
    'owner',
    'venues,owner',
    'height',
    'name',
    'tokyo',
    'osaka',
  ],
  ...['chiyoda-ku', 'kita-ku', 'umeda', 'sources', 'reit', '%E5%A1%94', '0', '999999999', ''],
);
const pair = fc.tuple(fc.constantFrom(...NAMES), fc.oneof(known, text)).map(([name, value]) => `${name}=${value}`);
const query = fc.array(fc.oneof({ weight: 4, arbitrary: pair }, { weight: 1, arbitrary: text }), { maxLength: 6 });

const segment = fc.oneof(
  fc.constantFrom(
    'tokyo',
    'chiyoda-ku',
    'marunouchi-1-chome',
    TOWN.everything,
    TOWN.chain[0],
    TOWN.retired,
    'id',
    'areas',
  ),
  fc.constantFrom(
    'about',
    'assets',
    'api',
    'suggest',
    'tiles',
    '',

    'tokyo.md',
    `${TOWN.everything}.md`,
    '.md',
  ),
  text,
);
const path = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/japan${segments.map((part) => `/${part}`).join('')}`),
  fc.constantFrom('/japan', '/japan/areas', '/japan/about', ...Object.values(HUBS), townPath(TOWN.everything)),
);

const range = fc.oneof(fc.constantFrom('text/markdown', 'text/html', '*/*', 'text/*', ''), fc.string({ maxLength: 6 }));
const quality = fc.constantFrom('', ';q=0', ';q=1', ';q=0.5', ';q=x', ';', ';q=');
const accept = fc
  .array(fc.tuple(range, quality), { maxLength: 4 })
  .map((ranges) => ranges.map((parts) => parts.join('')).join(','))
  .map((header) => header.replace(/[^ -~]/g, ''));

/** Words that no filter knows. */
const nonsense = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('has', 'sort', 'page', 'floorsMin', 'heightMax', 'builtMin'),
      fc.constantFrom(
        '',
        'x',
        'zz,zz',
        '-',
        '1e3',
        '%00',
        '%FF',
        '%3Cb%3E',
        'NaN',
        '٣',
        '0x10',
        'null',
        PROBE.replaceAll('"', '%22'),
      ),
    )
    .map((parts) => parts.join('=')),
  // Any word may be a recorded use, so only types without a word are invalid.
  fc.constantFrom('type=', 'type=%00', 'type=%FF', 'type=,%20,', 'type=%E2%80%AE'),
  fc.constantFrom('x=1', 'Type=office', 'page%00=2', 'tab=sources', '', '=', 'utm_source=a&utm_medium=b'),
);

onBothEngines('pages for any request', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());

  it('PAG-10 PAG-11 MD-02 never fail, and escape all input', async () => {
    await fc.assert(
      fc.asyncProperty(path, query, accept, async (path, parts, accept) => {
        const url = `${path}${parts.length === 0 ? '' : `?${parts.join('&')}`}`.replace(/#/g, '%23');
        const answer = await town.get(url, { accept });
        const { status, headers, body } = answer;
        expect([200, 301, 308, 400, 404, 405]).toContain(status);
        if (status === 400) expect(() => decodeURI(path)).toThrow();
        if (status === 404 || status === 400) expectNothingInside(answer);
        if (status === 301 || status === 308) {
          const target = new URL(String(headers.location), 'http://localhost');
          expect(target.host).toBe('localhost');
          expect(String(headers.location)).toMatch(/^\/[^/\\]/);
        }
        if (/^text\/html/.test(String(headers['content-type']))) {
          const page = readHtml(body);
          expect(
            elementsOf(page).some(
              ({ tagName, attrs }) => tagName === 'probe' || attrs.some(({ name }) => name === 'probe'),
            ),
          ).toBe(false);
          expect(textOf(page).length).toBeGreaterThan(100);
        }
        if (/^text\/markdown/.test(String(headers['content-type']))) expect(body).not.toContain('<probe');
      }),
      { numRuns: randomRuns(150), endOnFailure: true },
    );
  });

  it('PAG-02 UI-50 invalid filters change nothing but a notice, on the list and on hubs', async () => {
    const plain = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/japan/areas', HUBS.ward, `${HUBS.prefecture}.md`),
        fc.array(nonsense, { minLength: 1, maxLength: 5 }),
        async (path, parts) => {
          const url = `${path}?q=%E5%A1%94`;
          if (!plain.has(url)) plain.set(url, (await town.get(url)).body);
          const { status, body } = await town.get(`${path}?${[...parts, 'q=%E5%A1%94'].join('&')}`);
          expect(status).toBe(200);
          expect(withoutNotices(body)).toBe(plain.get(url));
        },
      ),
      { numRuns: randomRuns(100), endOnFailure: true },
    );
  });

  it('the search text is shown as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TRAPS, PROBE, '</title>', '<!--', ']]>', '&lt;', '\\', '`x`'), async (q) => {
        const { status, body } = await town.get(`/japan/areas?q=${encodeURIComponent(q)}`);
        expect(status).toBe(200);
        const page = readHtml(body);
        expect(attributeOf(selectOne(page, '#filter-q'), 'value')).toBe(
          q.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '').trim(),
        );
      }),
      { numRuns: randomRuns(60), endOnFailure: true },
    );
  });
});

/** A page or twin without the notices about ignored parameters. */
const withoutNotices = (body: string) =>
  body.startsWith('<')
    ? body.replace(/<p class="notice">[^<]*<\/p>/g, '')
    : body.replace(/^.*\b(?:ignored|is not a|order is unknown)\b.*\n\n/gm, '');
