import { parseBody } from '../../src/registry/records.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { contains, metresPerDegree, type Position } from '../../src/vocabulary/geometry.ts';
import type { FoundAnswer, MatchQuestion } from '../../src/vocabulary/match-shapes.ts';

/** What a question about a building is made of. */
export const KINDS = [
  ...(['address', 'name', 'point', 'record', 'name and address', 'address and point'] as const),
  ...(['next house number', 'name in another ward', 'point outside', 'point of another building'] as const),
];
export type Kind = (typeof KINDS)[number];

/** Questions of these kinds must not lead to the building they were made from. */
const NEAR_MISSES: readonly Kind[] = [
  ...(['next house number', 'name in another ward', 'point outside', 'point of another building'] as const),
];

export interface Figures {
  asked: number;
  /** The verdict is `match`, and it is right. */
  right: number;
  /** The verdict is `match`, and it is wrong. */
  wrong: number;
  /** The building is among the candidates. */
  found: number;
}

export interface Score {
  figures: Record<Kind, Figures>;
  /** Wrong matches, for people. */
  mistakes: string[];
  /** Own statements that do not lead to the building at all. */
  missed: { kind: Kind; question: MatchQuestion }[];
}

interface Case {
  kind: Kind;
  page: BuildingPage;
  question: MatchQuestion;
}

const AT_ONCE = 200;

/** Asks about every building by its own statements, and by statements that only nearly fit. */
export async function scoreMatches(registry: Registry, ids: readonly string[]): Promise<Score> {
  const pages: BuildingPage[] = [];
  for (const id of ids) {
    const found = await registry.getPage(id);
    if (found.ok) pages.push(parseBody<BuildingPage>(found.value.body));
  }
  const inWards = new Map(pages.filter(hasAddress).map((page) => [page.location.ward.code, page]));
  const cases = pages.flatMap((page, i) => {
    const elsewhere = [...inWards.values()].filter(({ location }) => location.ward.code !== page.location.ward.code);
    const some = [0, 1, 2].flatMap((next) => elsewhere[(i + next) % elsewhere.length] ?? []);
    return casesOf(page, pages[(i + 1) % pages.length] as BuildingPage, [...new Set(some)]);
  });
  const figures = Object.fromEntries(KINDS.map((kind) => [kind, { asked: 0, right: 0, wrong: 0, found: 0 }]));
  const score: Score = { figures: figures as Record<Kind, Figures>, mistakes: [], missed: [] };
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const some = cases.slice(at, at + AT_ONCE);
    const answers = await registry.match(some.map(({ question }) => question));
    for (const [i, answer] of answers.entries()) count(score, some[i] as Case, answer);
  }
  return score;
}

function count(
  { figures, mistakes, missed }: Score,
  { kind, page, question }: Case,
  { matched, candidates }: FoundAnswer,
): void {
  const of = figures[kind];
  of.asked += 1;
  if (candidates.some(({ id }) => id === page.id)) of.found += 1;
  else if (!NEAR_MISSES.includes(kind)) missed.push({ kind, question });
  if (matched === null) return;
  const isRight = NEAR_MISSES.includes(kind) ? matched !== page.id : matched === page.id;
  if (isRight) of.right += 1;
  else {
    of.wrong += 1;
    mistakes.push(`${kind}: ${JSON.stringify(question)} led to ${matched}, asked about ${page.id}`);
  }
}

/** `elsewhere` has buildings with an address in other wards. */
function casesOf(page: BuildingPage, other: BuildingPage, elsewhere: readonly BuildingPage[]): Case[] {
  const cases: Case[] = [];
  const add = (kind: Kind, question: Partial<MatchQuestion>) => {
    cases.push({ kind, page, question: { limit: 20, ...question } });
  };
  const address = textOf(page, 'addressJa');
  const name = textOf(page, 'nameJa') ?? textOf(page, 'nameEn');
  const point = pointIn(page);
  if (address !== undefined) add('address', { address });
  if (name !== undefined) add('name', { name });
  if (point !== undefined) add('point', { point });
  const [record] = page.sources;
  if (record !== undefined) add('record', { record: { source: record.source, id: record.sourceRecordId } });
  if (name !== undefined && address !== undefined) add('name and address', { name, address });
  if (address !== undefined && point !== undefined) add('address and point', { address, point });

  const next = address === undefined ? undefined : nextNumber(address);
  if (next !== undefined) add('next house number', { address: next });
  for (const { fields } of name === undefined ? [] : elsewhere) {
    if (fields.nameJa?.value !== name)
      add('name in another ward', { name: name as string, address: String(fields.addressJa?.value) });
  }
  const outside = pointBeside(page);
  if (outside !== undefined) add('point outside', { point: outside });
  const foreign = pointIn(other);
  if (address !== undefined && foreign !== undefined && page !== other) {
    add('point of another building', { address, point: foreign });
  }
  return cases;
}

const hasAddress = ({ fields }: BuildingPage) => fields.addressJa !== undefined;

function textOf({ fields }: BuildingPage, field: 'nameJa' | 'nameEn' | 'addressJa'): string | undefined {
  return fields[field] === undefined ? undefined : String(fields[field].value);
}

/** Its point, if that lies in its footprint; a courtyard does not. */
function pointIn({ location: { lat, lon }, geometry }: BuildingPage): MatchQuestion['point'] {
  if (lat === null || lon === null || geometry === null) return undefined;
  return contains(geometry as never, [lon, lat]) ? { lat, lon } : undefined;
}

/** A metre east of the footprint's bounding box. */
function pointBeside({ location: { lat }, footprint }: BuildingPage): MatchQuestion['point'] {
  if (lat === null || footprint === null) return undefined;
  const [, south, east, north] = footprint.bbox as unknown as [...Position, ...Position];
  return { lat: (south + north) / 2, lon: east + 1 / metresPerDegree(lat).lon };
}

/** The address with its last number one higher: 9番2号 becomes 9番3号. */
function nextNumber(address: string): string | undefined {
  const found = /^(.*\D)(\d{1,4})(\D{0,2})$/u.exec(address.normalize('NFKC'));
  return found === null ? undefined : `${found[1]}${Number(found[2]) + 1}${found[3]}`;
}

/** The share of `match` verdicts about own statements that are right; 1 if there are none. */
export function precisionOf({ figures }: Score): number {
  const own = KINDS.filter((kind) => !NEAR_MISSES.includes(kind)).map((kind) => figures[kind]);
  const right = own.reduce((sum, each) => sum + each.right, 0);
  const wrong = own.reduce((sum, each) => sum + each.wrong, 0);
  return right + wrong === 0 ? 1 : right / (right + wrong);
}
