import type { Db } from '../storage/storage.ts';
import type { PlacedBy } from '../storage/tables.ts';
import { metresPerDegree, type Position } from '../vocabulary/geometry.ts';
import { PREFECTURE_NAMES, prefecturesAround } from '../vocabulary/prefectures.ts';
import type { Areas } from './areas.ts';

/** Evidence for the location of a building, each list best first. */
interface LocationEvidence {
  /** Machi-aza that the records of its footprints name by code. */
  named: readonly string[];
  points: readonly Position[];
  /** Evidence that takes longer to load; needed only if neither a code nor a boundary decides. */
  loadStatements: () => Promise<PlaceStatements>;
  /** The prefecture of its ID, if it has one. */
  prefecture: string | undefined;
}

interface PlaceStatements {
  /** Machi-aza that other records name by code. */
  hinted: readonly string[];
  /** Codes of municipalities that the records of its footprints state. */
  municipalities: readonly string[];
  addresses: readonly string[];
}

export interface Placement {
  area: string;
  by: PlacedBy;
}

/** An address farther than this from the point of its machi-aza belongs to another place of the same name. */
const MAX_ADDRESS_DISTANCE_M = 30_000;

/** PLC-01, PLC-02: the machi-aza of a building, by the first evidence that decides. */
export async function placeBuilding(db: Db, areas: Areas, evidence: LocationEvidence): Promise<Placement | undefined> {
  const isKnown = (code: string) => areas.get(code)?.level === 'machiAza';
  const named = evidence.named.find(isKnown);
  if (named !== undefined) return { area: named, by: 'named' };
  for (const point of evidence.points) {
    const located = await areas.locate(db, point);
    if (located !== undefined) return { area: located, by: 'boundary' };
  }
  const said = await evidence.loadStatements();
  const hints = said.hinted.filter(isKnown);
  const [point] = evidence.points;
  const [stated] = said.municipalities;
  const drawn = await locateMunicipality(db, areas, evidence.points);
  if (drawn !== undefined && mayBeIn(areas, drawn, stated)) {
    return placeInside(areas, drawn, 'municipalityBoundary', hints, said.addresses, point);
  }
  if (stated !== undefined) return placeInside(areas, stated, 'municipality', hints, said.addresses, point);
  if (hints[0] !== undefined) return { area: hints[0], by: 'named' };
  const addressed = placeByAddress(areas, said.addresses, point);
  if (addressed !== undefined) return addressed.place;
  return placeByPoint(areas, point, evidence.prefecture ?? prefectureIn(said.addresses));
}

async function locateMunicipality(db: Db, areas: Areas, points: readonly Position[]): Promise<string | undefined> {
  for (const point of points) {
    const municipality = await areas.locateMunicipality(db, point);
    if (municipality !== undefined) return municipality;
  }
  return undefined;
}

/**
 * Boundaries of municipalities are often simplified and wrong near borders, so a stated municipality takes precedence.
 * A boundary determines the ward of a stated city, and the successor of an abolished municipality.
 */
function mayBeIn(areas: Areas, ward: string, stated: string | undefined): boolean {
  if (stated === undefined) return true;
  const wards = areas.wardsOf(stated);
  return wards.length > 0 ? wards.includes(ward) : ward.slice(0, 2) === stated.slice(0, 2);
}

/** If the tree does not have the municipality yet, the building waits. */
function placeInside(
  areas: Areas,
  municipality: string,
  by: PlacedBy,
  hints: readonly string[],
  addresses: readonly string[],
  point: Position | undefined,
): Placement | undefined {
  const wards = areas.wardsOf(municipality);
  const isInside = (code: string) => wards.includes(areas.get(code)?.parent ?? '');
  const hint = hints.find(isInside);
  if (hint !== undefined) return { area: hint, by: 'named' };
  for (const address of addresses) {
    const machiAza = areas.resolveAddress(address)?.machiAza;
    if (machiAza != null && isInside(machiAza)) return { area: machiAza, by };
  }
  const near = point && areas.points.within(wards, point);
  return near && { area: near.code, by };
}

/** Undefined if no address names the municipality. If that municipality has no points yet, the building waits. */
function placeByAddress(
  areas: Areas,
  addresses: readonly string[],
  point: Position | undefined,
): { place: Placement | undefined } | undefined {
  let ward: string | undefined;
  for (const address of addresses) {
    const resolved = areas.resolveAddress(address);
    if (resolved === undefined) continue;
    const { machiAza } = resolved;
    if (machiAza === null) ward ??= resolved.ward;
    else if (isNear(areas.get(machiAza)?.point, point)) return { place: { area: machiAza, by: 'address' } };
  }
  if (ward === undefined || point === undefined) return undefined;
  const near = areas.points.within([ward], point);
  if (near !== undefined && near.distanceM > MAX_ADDRESS_DISTANCE_M) return undefined;
  return { place: near && { area: near.code, by: 'address' } };
}

/** The prefecture at the start of an address whose remainder the tree lacks. */
function prefectureIn(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const at = PREFECTURE_NAMES.findIndex((name) => address.normalize('NFKC').startsWith(name));
    if (at !== -1) return String(at + 1).padStart(2, '0');
  }
  return undefined;
}

/**
 * PLC-02: without an ID or an address that names the prefecture, a building near a border waits if points of one of the
 * prefectures are missing, or if both have points within reach, because its ID would be wrong forever.
 */
function placeByPoint(
  areas: Areas,
  point: Position | undefined,
  prefecture: string | undefined,
): Placement | undefined {
  if (point === undefined) return undefined;
  const around = areas.points.around(point);
  const possible = prefecture === undefined ? prefecturesAround(point) : [prefecture];
  const isCertain =
    possible.length === 1 || (around.length === 1 && possible.every((code) => areas.points.hasPrefecture(code)));
  if (!isCertain) return undefined;
  const near = around.find(({ code }) => possible.length !== 1 || code.startsWith(possible[0] as string));
  return near && { area: near.code, by: 'nearest' };
}

function isNear(a: Position | null | undefined, b: Position | undefined): boolean {
  if (a == null || b === undefined) return true;
  const scale = metresPerDegree(b[1]);
  return Math.hypot((a[0] - b[0]) * scale.lon, (a[1] - b[1]) * scale.lat) <= MAX_ADDRESS_DISTANCE_M;
}
