import type { Reads } from '../../storage/storage.ts';
import { formatAssetId } from '../../vocabulary/asset-id.ts';
import type { Canonical } from '../../vocabulary/canonical.ts';
import { boxOf, contains, metresPerDegree, type Position } from '../../vocabulary/geometry.ts';
import {
  type FoundAnswer,
  type FoundCandidate,
  MATCH_REASONS,
  type MatchQuestion,
  type MatchReasonKind,
} from '../../vocabulary/match-shapes.ts';
import { houseNumbersOf, normaliseName } from '../register-rule.ts';
import type { SegmentCache } from '../search/read/index-reads.ts';
import { buildingsOfRecord } from '../source-record.ts';
import type { AddressFinder, AddressFinders } from './address-finder.ts';
import {
  type BuildingsAround,
  buildingsAround,
  buildingsWithAddress,
  buildingsWithName,
  type KnownBuilding,
  loadBuildings,
  useFilter,
} from './candidates.ts';
import { type ComparedBuilding, judge, type NamedPlaceOfAddress, type Statements } from './judge.ts';
import { addressesOf, namesOf } from './lookup-keys.ts';

/** What a thread keeps between questions. */
interface LookupCaches {
  addresses: AddressFinders;
  segments: SegmentCache;
}

/** RCN-01, RCN-02: answers questions within one snapshot, in their order. */
export async function findBuildings(
  reads: Reads,
  questions: readonly MatchQuestion[],
  { addresses, segments }: LookupCaches,
): Promise<FoundAnswer[]> {
  const finder = await addresses.current(reads);
  const answers: FoundAnswer[] = [];
  const around = buildingsAround(reads, segments);
  for (const question of questions) answers.push(await answer(reads, question, finder, around));
  return answers;
}

async function answer(
  reads: Reads,
  question: MatchQuestion,
  finder: AddressFinder,
  around: BuildingsAround,
): Promise<FoundAnswer> {
  const { name, address, point, record, types, limit } = question;
  const places = address === undefined ? undefined : await readPlaces(reads, finder, address);
  const normalised = name === undefined ? undefined : normaliseName(name);
  const position: Position | undefined = point === undefined ? undefined : [point.lon, point.lat];
  const ofRecord = record === undefined ? [] : await buildingsOfRecord(reads, record.source, record.id);
  const isAsked = useFilter(types);
  const ids = new Set([
    ...ofRecord,
    ...(position === undefined ? [] : await around(position)),
    ...(await buildingsWithAddress(reads, places ?? [], isAsked)),
    ...(await buildingsWithName(reads, normalised ?? '', places ?? [], isAsked)),
  ]);
  const known = await loadBuildings(reads, [...ids]);
  await finder.prepare(
    reads,
    known.flatMap(({ canonical }) => addressesOf(canonical)),
  );
  const compared = known.map((row) => ({
    ...compare(row, finder, position),
    isOfRecord: ofRecord.includes(row.id),
    row,
  }));
  const isHeld = compared.some(({ holdsPoint }) => holdsPoint);
  const asked: Statements = {
    name: normalised,
    places,
    point: position === undefined ? undefined : isHeld ? 'held' : 'outside',
    record: record !== undefined,
  };
  const ofType = compared.filter(({ row }) => isAsked(row));
  const candidates = ofType
    .map((each) => describe(each, asked, finder, record))
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const judgement = judge(asked, ofType);
  return {
    verdict: judgement.verdict,
    matched: judgement.verdict === 'match' ? formatAssetId(judgement.building) : null,
    candidates: candidates.slice(0, limit),
  };
}

async function readPlaces(reads: Reads, finder: AddressFinder, address: string): Promise<NamedPlaceOfAddress[]> {
  return (await finder.placesOf(reads, address)).map((resolved) => ({
    machiAza: resolved.machiAza as string,
    numbers: houseNumbersOf(finder, resolved),
  }));
}

type Compared = ComparedBuilding & { row: KnownBuilding };

function compare(
  { id, area, canonical }: KnownBuilding,
  finder: AddressFinder,
  position: Position | undefined,
): Omit<ComparedBuilding, 'isOfRecord'> {
  const numbersIn = new Map<string, Set<string>>();
  for (const address of addressesOf(canonical)) {
    const resolved = finder.resolveAddress(address);
    if (resolved === undefined || resolved.machiAza === null) continue;
    const numbers = numbersIn.get(resolved.machiAza) ?? new Set<string>();
    for (const number of houseNumbersOf(finder, resolved)) numbers.add(number);
    numbersIn.set(resolved.machiAza, numbers);
  }
  const names = new Set(namesOf(canonical).map(normaliseName));
  names.delete('');
  const { footprint } = canonical;
  const holdsPoint = position !== undefined && footprint !== null && contains(footprint.geometry, position);
  return { building: id, area, names, numbersIn, holdsPoint, pointDistanceM: distanceFrom(canonical, position) };
}

function distanceFrom({ footprint, point }: Canonical, position: Position | undefined): number {
  const box = footprint !== null ? boxOf(footprint.geometry) : point === null ? undefined : [...point, ...point];
  if (position === undefined || box === undefined) return Number.POSITIVE_INFINITY;
  const [west, south, east, north] = box as [number, number, number, number];
  const [lon, lat] = position;
  const scale = metresPerDegree(lat);
  return Math.hypot(Math.max(west - lon, 0, lon - east) * scale.lon, Math.max(south - lat, 0, lat - north) * scale.lat);
}

/** How much each statement counts; `machiAza` is part of an address. */
const WEIGHTS: Readonly<Record<MatchReasonKind, number>> = {
  sourceRecord: 4,
  address: 3,
  point: 3,
  name: 2,
  machiAza: 1.5,
};

/** RCN-03: the share of the statements that fit a building, and why. */
function describe(
  compared: Compared,
  asked: Statements,
  finder: AddressFinder,
  record: MatchQuestion['record'],
): FoundCandidate {
  const { building, holdsPoint, isOfRecord, row } = compared;
  const details: Partial<Record<MatchReasonKind, string>> = {};
  if (record !== undefined && isOfRecord) details.sourceRecord = `${record.source}:${record.id}`;
  if (holdsPoint) details.point = 'inside the footprint';
  const { name, places = [] } = asked;
  const sameName = name ? namesOf(row.canonical).find((text) => normaliseName(text) === name) : undefined;
  if (sameName !== undefined) details.name = sameName;
  const sameAddress = addressesOf(row.canonical).find((text) => isAt(text, places, finder));
  if (sameAddress !== undefined) details.address = sameAddress;
  else if (places.some((place) => isInPlace(compared, place.machiAza))) {
    details.machiAza = placeName(places, compared, finder);
  }
  const kinds = MATCH_REASONS.filter((kind) => details[kind] !== undefined);
  const fields = row.canonical.fields;
  const textOf = (field: 'nameJa' | 'nameEn' | 'addressJa') =>
    fields[field] === undefined ? null : String(fields[field].value);
  const id = formatAssetId(building);
  return {
    ...{ id, path: `/japan/${row.place}/${id}` },
    ...{ nameJa: textOf('nameJa'), nameEn: textOf('nameEn'), addressJa: textOf('addressJa') },
    score: shareOf(kinds, asked),
    categories: row.canonical.assetTypes.map(({ category }) => category),
    reasons:
      kinds.length === 1 && kinds[0] === 'machiAza' && !isSamePlace(compared, places) ? [] : toReasons(kinds, details),
  };
}

function placeName(places: readonly NamedPlaceOfAddress[], compared: ComparedBuilding, finder: AddressFinder): string {
  const place = places.find(({ machiAza }) => isInPlace(compared, machiAza));
  return finder.get(place?.machiAza ?? '')?.nameJa ?? '';
}

/** Whether a building is in a machi-aza, or has an address there, without a house number. */
const isInPlace = ({ area, numbersIn }: ComparedBuilding, machiAza: string) =>
  (area === machiAza || numbersIn.has(machiAza)) && !numbersIn.get(machiAza)?.size;

/** A machi-aza alone makes a candidate only if neither the question nor the building's address says more. */
function isSamePlace({ numbersIn }: ComparedBuilding, places: readonly NamedPlaceOfAddress[]): boolean {
  return places.some(({ machiAza, numbers }) => numbers.length === 0 && numbersIn.get(machiAza)?.size === 0);
}

function toReasons(
  kinds: readonly MatchReasonKind[],
  details: Partial<Record<MatchReasonKind, string>>,
): FoundCandidate['reasons'] {
  return kinds.map((kind) => ({ kind, detail: details[kind] as string }));
}

function isAt(address: string, places: readonly NamedPlaceOfAddress[], finder: AddressFinder): boolean {
  if (places.length === 0) return false;
  const resolved = finder.resolveAddress(address);
  const place = places.find(({ machiAza }) => machiAza === resolved?.machiAza);
  if (resolved === undefined || place === undefined) return false;
  return houseNumbersOf(finder, resolved).some((number) => place.numbers.includes(number));
}

function shareOf(kinds: readonly MatchReasonKind[], { name, places, point, record }: Statements): number {
  const given =
    (record ? WEIGHTS.sourceRecord : 0) +
    (places === undefined ? 0 : WEIGHTS.address) +
    (point === undefined ? 0 : WEIGHTS.point) +
    (name === undefined ? 0 : WEIGHTS.name);
  const fitting = kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0);
  return Math.round((fitting / given) * 100) / 100;
}
