import { readdirSync, readFileSync } from 'node:fs';
import { describeFault } from '../../src/reit/publication/bundle.ts';
import { compose } from '../../src/reit/publication/compose.ts';
import { parseBundle } from '../../src/reit/publication/read-bundle.ts';
import { readLine } from '../../src/sources/records/read-line.ts';
import { printable } from '../../src/vocabulary/text.ts';
import { anchorMap, anchors, exampleBundle } from '../reit/support.ts';
import { AREAS, building, id, MARUNOUCHI, record, square } from '../support/records.ts';
import { mutate, mutateJson } from './mutate.ts';
import { fault, show, type Target } from './target.ts';

const LINES: unknown[] = [
  ...AREAS,
  building(1, {
    nameEn: 'One',
    aliases: ['甲', 'ONE'],
    assetTypes: ['office', 'retail'],
    heightM: 48,
    yearBuilt: 1999,
  }),
  building(2, {}, { venues: [{ nameJa: '喫茶', category: 'cafe' }] }),
  record(
    'plateau',
    'b1',
    { heightM: 50, footprintM2: 400, floorsAbove: 9 },
    { building: id(1), geometry: square(MARUNOUCHI) },
  ),
  record('jreit', 'j1', { ownerPublic: 'X', nameJa: '若葉ビル', addressJa: '東京都千代田区丸の内一丁目9番2号' }),
  { kind: 'merge', from: id(3), into: id(4), reason: 'one building' },
];
const LINE_TOKENS = [
  'kind',
  'record',
  'area',
  'merge',
  'observations',
  'geometry',
  'MultiPolygon',
  'Point',
  '[[[[1,2]]]]',
  id(1),
];

/** FUZ-03: lines of the record format. */
export const lines: Target = {
  name: 'lines',
  atOnce: 1,
  async open() {
    return {
      async run(random) {
        const line = random.pick(LINES);
        const text = random.chance(0.5)
          ? Buffer.from(mutateJson(line, random, LINE_TOKENS))
          : mutate(
              Buffer.from(JSON.stringify(line)),
              random,
              LINE_TOKENS,
              Buffer.from(JSON.stringify(random.pick(LINES))),
            );
        const result = readLine({ number: 1, bytes: text, length: text.length, ended: random.chance(0.8) });
        if (result.ok) return;
        if (result.failure.length > 1_000) fault(`a reason of ${result.failure.length} characters: ${show(text)}`);
      },
      async close() {},
    };
  },
};

const BUNDLES = new URL('../../sample/reit/', import.meta.url);
const BUNDLE_TOKENS = [
  'issuer',
  'fact',
  'measure',
  'numerator',
  'denominator',
  '1/3',
  '2026-02-30',
  'sha256:',
  id(1),
  'JPY',
];

/** FUZ-04: bundles of REIT publications: reading, and composing what could be read. */
export const bundles: Target = {
  name: 'bundles',
  atOnce: 1,
  async open() {
    const found = anchorMap(anchors());
    const texts = [
      ...readdirSync(BUNDLES).map((name) => readFileSync(new URL(name, BUNDLES), 'utf8')),
      // Its building is among the anchors, so that it can be composed.
      ...Array<string>(10).fill(JSON.stringify(exampleBundle())),
    ];
    return {
      async run(random) {
        const text = random.pick(texts);
        const changed = random.chance(0.7)
          ? mutateJson(JSON.parse(text), random, BUNDLE_TOKENS)
          : mutate(Buffer.from(text), random, BUNDLE_TOKENS, Buffer.from(random.pick(texts))).toString();
        const bundle = parseBundle(changed);
        if (bundle.ok) {
          compose(bundle.value, found);
          return;
        }
        const reasons = bundle.failure.map((found) => describeFault(found));
        if (reasons.length === 0) fault(`refused without a reason: ${show(changed)}`);
        // A reason names the place, which is part of the operator's own file: escaped, and not more than that.
        const bad = reasons.find((reason) => printable(reason, 2_000) !== reason);
        if (bad !== undefined) fault(`a reason that is not printable: ${show(bad)} ${show(changed)}`);
      },
      async close() {},
    };
  },
};
