import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import type { Meanings } from './naive-search.ts';
import { Random } from './random.ts';
import { id, type Json, record, square } from './records.ts';
import type { ServedRegistry } from './served-registry.ts';
import { retype, trapText } from './trap-texts.ts';

const PREFECTURES = { '01': 'hokkaido', '13': 'tokyo', '14': 'kanagawa', '27': 'osaka' } as const;
type Prefecture = keyof typeof PREFECTURES;
const CODES = Object.keys(PREFECTURES) as Prefecture[];

const named = (line: Json): Json => ({ kind: 'area', nameJa: `${line.slug}-${line.code}`, nameEn: null, ...line });

/** Slugs occur in several areas and on several levels; `empty-ku` and `empty` never get a building. */
export const VARIED_AREAS: Json[] = CODES.flatMap((code) => [
  named({ level: 'prefecture', code, parent: null, slug: PREFECTURES[code] }),
  ...['chuo-ku', 'kita-ku', 'osaka', 'empty-ku'].flatMap((slug, i) => {
    const ward = `${code}10${i + 1}`;
    return [
      named({ level: 'ward', code: ward, parent: code, slug }),
      ...['honcho', 'nakamachi', 'chuo-ku', 'empty'].map((slug, j) =>
        named({ level: 'machiAza', code: `${ward}000${j + 1}`, parent: ward, slug }),
      ),
    ];
  }),
]);

export const SLUGS = {
  prefecture: [...Object.values(PREFECTURES), 'chuo-ku', 'nowhere'],
  ward: ['chuo-ku', 'kita-ku', 'osaka', 'empty-ku', 'tokyo', 'nowhere'],
  machiAza: ['honcho', 'nakamachi', 'chuo-ku', 'empty', 'shinmachi', 'nowhere'],
} as const;

const USES = [
  ...[
    'office',
    '事務所',
    'ＯＦＦＩＣＥ',
    'apartments',
    'residential',
    '共同住宅',
    'retail',
    'shop',
    '店舗',
    'hotel',
    '倉庫',
  ],
  ...['なぞの用途', 'Yes', 'Ｔｏｗｅｒ', '謎\u3000二号'],
];

const TYPES: Readonly<Record<string, string>> = {
  ...{
    residential: 'residential',
    apartments: 'residential',
    共同住宅: 'residential',
    ＡＰＡＲＴＭＥＮＴＳ: 'residential',
  },
  ...{ office: 'office', ' Office ': 'office', 事務所: 'office', retail: 'retail', shop: 'retail', 店舗: 'retail' },
  ...{ hotel: 'hotel', logistics: 'logistics', other: 'other', unspecified: 'unspecified' },
};
export const ASKED_TYPES = [
  ...[...Object.keys(TYPES), 'no such use', 'constructor', 'unknown', 'ビル'],
  ...['なぞの用途', 'ナゾの用途', 'yes', 'building=ＹＥＳ', 'tower', ' 謎  二号 ', '謎二号'],
];

/** Renamed by a later stage; before that, its new slug names no area. */
const RENAMED = { code: '131010002', from: 'nakamachi', to: 'shinmachi' };

export const MEANINGS: Meanings = { categories: TYPES, formerSlugs: { [RENAMED.code]: RENAMED.from } };

/** The location of buildings that have no area until one gets a boundary. */
const UNPLACED_AT: readonly [number, number] = [139.5, 35.5];

export interface Stage {
  name: string;
  run(served: ServedRegistry): Promise<void>;
}

/** A registry full of edge cases, and the ingests that change it; the same for the same seed. */
export function variedRegistry(seed: number): { ids: string[]; stages: Stage[] } {
  const random = new Random(seed);
  const made: { number: number; prefecture: Prefecture }[] = [];
  const idOf = (number: number) => id(number, made[number]?.prefecture);
  const wardOf = (prefecture: Prefecture) => `${prefecture}10${random.pick([1, 1, 1, 2, 3])}`;
  const areaIn = (prefecture: Prefecture) => `${wardOf(prefecture)}000${random.pick([1, 1, 2, 3])}`;

  const texts = (): Json => {
    const fields: Json = { assetTypes: random.some(3, () => random.pick(USES)) };
    if (random.chance(0.9)) fields.nameJa = trapText(random);
    if (random.chance(0.5)) fields.nameEn = trapText(random);
    if (random.chance(0.6)) fields.addressJa = trapText(random, 6);
    const aliases = random.some(3, () => trapText(random, 2));
    if (aliases.length > 0 && random.chance(0.3)) aliases.push(retype(random, aliases[0] as string));
    if (random.chance(0.01)) aliases.push(trapText(random).padEnd(4_000, '長い別名'));
    fields.aliases = aliases;
    return fields;
  };
  const create = (): Json[] => {
    const [number, prefecture] = [made.length, random.pick(CODES)];
    made.push({ number, prefecture });
    const of = { building: idOf(number) };
    const lines = [record('osm', `way/${number}`, texts(), { ...of, area: areaIn(prefecture) })];
    if (random.chance(0.2)) lines.push(record('wikidata', `Q${number}`, texts(), of));
    return lines;
  };
  const createUnplaced = (): Json => {
    const number = made.length;
    made.push({ number, prefecture: '14' });
    const geometry = square([UNPLACED_AT[0] + number * 0.000001, UNPLACED_AT[1]], 0.00005);
    return record('osm', `way/${number}`, texts(), { building: idOf(number), geometry });
  };
  let revision = 0;
  const change = (number: number, more: Json = {}): Json => {
    const minute = String(++revision % 60).padStart(2, '0');
    const retrievedAt = `2026-01-02T${String(Math.floor(revision / 60)).padStart(2, '0')}:${minute}:00Z`;
    const at = { building: idOf(number), retrievedAt, rawPayloadRef: `sha256:r${revision}` };
    return record('osm', `way/${number}`, texts(), { ...at, ...more });
  };
  const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

  const first = [...VARIED_AREAS, ...many(340, create).flat(), ...many(8, createUnplaced)];
  const few = many(20, (i) => change(i * 17));
  const large = [...many(170, (i) => change(i * 2 + 1)), ...many(100, create).flat()];
  const moved = many(8, (i) => change(i * 11 + 2, { area: `${made[i * 11 + 2]?.prefecture}1030002` }));
  const boundary = square(UNPLACED_AT as [number, number], 0.01);
  const rename = { level: 'machiAza', code: RENAMED.code, parent: '13101', slug: RENAMED.to, nameJa: '新町' };
  const last = [...many(10, create).flat(), ...many(10, (i) => change(i * 31))];

  const stages: Stage[] = [
    { name: 'a first run', run: (served) => served.ingest(first) },
    { name: 'a few changes', run: (served) => served.ingest(few) },
    {
      name: 'merges and retirements',
      run: async ({ ingest, context }) => {
        await ingest(many(6, (i) => ({ kind: 'merge', from: idOf(100 + i), into: idOf(200 + i), reason: 'one' })));
        await mergeBuildings(context, idOf(200), idOf(300), null);
        for (let i = 110; i < 114; i++) await mergeBuildings(context, idOf(i), idOf(320), null);
        await retireBuilding(context, idOf(120), undefined, null);
        await retireBuilding(context, idOf(121), idOf(321), null);
      },
    },
    { name: 'a large run', run: (served) => served.ingest(large) },
    {
      name: 'unmerged, placed, moved and renamed',
      run: async ({ ingest, context }) => {
        await unmergeBuilding(context, idOf(101), null);
        await unmergeBuilding(context, idOf(111), null);
        await unmergeBuilding(context, idOf(200), null);
        await ingest([
          named({ level: 'machiAza', code: '141020002', parent: '14102', slug: 'nakamachi', boundary }),
          { kind: 'area', ...rename, nameEn: null },
          ...moved,
        ]);
      },
    },
    { name: 'a last few', run: (served) => served.ingest(last) },
  ];
  return { ids: made.map(({ number }) => idOf(number)), stages };
}
