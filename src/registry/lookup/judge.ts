import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { MatchVerdict } from '../../vocabulary/match-shapes.ts';
import { type MatchCandidate, matchRegister } from '../register-rule.ts';

/** A place that the address of a question may name. */
export interface NamedPlaceOfAddress {
  machiAza: string;
  numbers: readonly string[];
}

/** What a question says, as far as it could be read. */
export interface Statements {
  /** Normalised; undefined if not asked for. */
  name: string | undefined;
  /** Every place that the address may name; undefined if not asked for. */
  places: readonly NamedPlaceOfAddress[] | undefined;
  /** Whether a point is asked for, and whether some footprint holds it. */
  point: 'held' | 'outside' | undefined;
  record: boolean;
}

/** A building, compared with the statements. */
export interface ComparedBuilding {
  building: AssetKey;
  /** Its machi-aza. */
  area: string;
  /** Normalised. */
  names: ReadonlySet<string>;
  /** The house numbers of its addresses by machi-aza. */
  numbersIn: ReadonlyMap<string, ReadonlySet<string>>;
  holdsPoint: boolean;
  /** How far the point is from its footprint's box, in metres. */
  pointDistanceM: number;
  isOfRecord: boolean;
}

/** A point beside every footprint contradicts a building that is farther away: geocoders put points on the street. */
const MAX_POINT_DISTANCE_M = 100;

type Judgement = { verdict: 'match'; building: AssetKey } | { verdict: Exclude<MatchVerdict, 'match'> };

/**
 * RCN-02: the rule for registers (CON-09) decides among the buildings that the source record and the point allow.
 * Statements that contradict each other never make a match; if they mean different buildings, either may be meant.
 */
export function judge(asked: Statements, all: readonly ComparedBuilding[]): Judgement {
  const judgement = judgeTogether(asked, all);
  return judgement.verdict === 'none' && areOfSeveral(asked, all) ? { verdict: 'ambiguous' } : judgement;
}

/** Whether the statements that fit some building fit no building together. */
function areOfSeveral({ name, places = [] }: Statements, all: readonly ComparedBuilding[]): boolean {
  const fitting = [
    all.filter(({ isOfRecord }) => isOfRecord),
    all.filter(({ holdsPoint }) => holdsPoint),
    all.filter(({ names }) => name !== undefined && names.has(name)),
    all.filter(({ numbersIn }) =>
      places.some(({ machiAza, numbers }) => numbers.some((number) => numbersIn.get(machiAza)?.has(number))),
    ),
  ].filter((buildings) => buildings.length > 0);
  return fitting.length > 1 && !all.some((building) => fitting.every((buildings) => buildings.includes(building)));
}

function judgeTogether(asked: Statements, all: readonly ComparedBuilding[]): Judgement {
  const pool = all.filter(
    ({ isOfRecord, holdsPoint }) => (!asked.record || isOfRecord) && (asked.point !== 'held' || holdsPoint),
  );
  const accepted = acceptedBy(asked, pool);
  if (typeof accepted === 'string') return { verdict: accepted };
  if (asked.point === 'outside' && accepted.pointDistanceM > MAX_POINT_DISTANCE_M) return { verdict: 'none' };
  const { name, places } = asked;
  const hasName = name !== undefined && accepted.names.has(name);
  // Without its municipality an address may be meant elsewhere, so something else has to confirm it.
  const isSure = hasName || asked.point === 'held' || asked.record;
  if (places !== undefined && places.length > 1 && !isSure) return { verdict: 'ambiguous' };
  // The name of one building at the address of another: either may be meant.
  const isOtherName = name !== undefined && !hasName && accepted.names.size > 0;
  if (isOtherName && all.some(({ names }) => names.has(name))) return { verdict: 'ambiguous' };
  return { verdict: 'match', building: accepted.building };
}

function acceptedBy(
  { name, places }: Statements,
  pool: readonly ComparedBuilding[],
): ComparedBuilding | 'none' | 'ambiguous' {
  if (places === undefined && name === undefined) return onlyOne(pool);
  const verdicts =
    places === undefined
      ? [
          matchRegister(
            { numbers: [], name: name ?? null },
            pool.map((each) => toCandidate(each)),
          ),
        ]
      : places.map(({ machiAza, numbers }) =>
          matchRegister(
            { numbers, name: name ?? null },
            pool.filter((each) => isIn(each, machiAza)).map((each) => toCandidate(each, machiAza)),
          ),
        );
  if (verdicts.some((verdict) => 'reason' in verdict && verdict.reason === 'ambiguous')) return 'ambiguous';
  const found = new Set(verdicts.flatMap((verdict) => ('building' in verdict ? verdict.building : [])));
  return onlyOne(pool.filter(({ building }) => found.has(building)));
}

function onlyOne(buildings: readonly ComparedBuilding[]): ComparedBuilding | 'none' | 'ambiguous' {
  const [only, another] = buildings;
  if (only === undefined) return 'none';
  return another === undefined ? only : 'ambiguous';
}

/** As in ingest: a building in the machi-aza, or one with an address there. */
const isIn = ({ area, numbersIn }: ComparedBuilding, machiAza: string) => area === machiAza || numbersIn.has(machiAza);

function toCandidate({ building, names, numbersIn }: ComparedBuilding, machiAza?: string): MatchCandidate {
  return { building, names, numbers: (machiAza === undefined ? undefined : numbersIn.get(machiAza)) ?? NO_NUMBERS };
}

const NO_NUMBERS: ReadonlySet<string> = new Set();
