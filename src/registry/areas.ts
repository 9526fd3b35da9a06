import type { Db, Tx } from '../storage/storage.ts';
import type { AreaLevel } from '../storage/tables.ts';
import { RESERVED_SLUGS } from '../vocabulary/area-names.ts';
import type { AreaName } from '../vocabulary/building-page.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { type AreaGeometry, contains, type Measures, measure, type Position } from '../vocabulary/geometry.ts';
import { meshCentre, meshCodeOf } from '../vocabulary/mesh.ts';
import { dividedCityOf } from '../vocabulary/municipalities.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { AddressResolver, type ResolvedAddress } from './address-resolver.ts';
import { MachiAzaPoints } from './machi-aza-points.ts';
import { WardBoundaries } from './ward-boundaries.ts';

export interface Area {
  code: string;
  level: AreaLevel;
  parent: string | null;
  slug: string;
  nameJa: string;
  nameEn: string | null;
  /** Its representative point, if known. */
  point?: Position | null;
  /** Whether it has a boundary. */
  isBounded?: boolean;
  /** When its source was fetched; older data changes nothing. */
  retrievedAt?: string | null;
}

export interface PlacePath {
  prefecture: AreaName;
  ward: AreaName;
  machiAza: AreaName;
  path: string;
}

const PARENT_LEVEL: Record<AreaLevel, AreaLevel | null> = { prefecture: null, ward: 'prefecture', machiAza: 'ward' };
const CACHED_TILES = 64;

interface BoundedArea {
  code: string;
  boundary: AreaGeometry;
  box: Measures['bbox'];
}

/** The area tree, in memory. Boundaries are read tile by tile when needed. */
export class Areas {
  readonly #byCode = new Map<string, Area>();
  readonly #slugs = new Map<string, string>();
  readonly #places = new Map<string, PlacePath>();
  readonly #boundaries = new Map<string, BoundedArea[]>();
  readonly #wards = new WardBoundaries();
  #names: AddressResolver | undefined;
  #points: MachiAzaPoints | undefined;
  readonly #wardsOf = new Map<string, string[]>();

  static async load(db: Db): Promise<Areas> {
    const areas = new Areas();
    const rows = await db
      .selectFrom('area')
      .select(['code', 'level', 'parent', 'slug', 'name_ja', 'name_en', 'lat', 'lon', 'retrieved_at', 'west'])
      .execute();
    for (const { name_ja: nameJa, name_en: nameEn, lat, lon, retrieved_at: retrievedAt, west, ...row } of rows) {
      const point: Position | null = lat === null || lon === null ? null : [lon, lat];
      areas.#byCode.set(row.code, { ...row, nameJa, nameEn, point, retrievedAt, isBounded: west !== null });
    }
    for (const { parent, slug, code } of await db.selectFrom('area_slug').selectAll().execute()) {
      areas.#slugs.set(`${parent}/${slug}`, code);
    }
    return areas;
  }

  get(code: string): Area | undefined {
    return this.#byCode.get(code);
  }

  /** Adds or corrects an area. */
  async put(
    tx: Tx,
    area: Area,
    boundary: AreaGeometry | null,
  ): Promise<Result<'new' | 'changed' | 'unchanged', string>> {
    const known = this.#byCode.get(area.code);
    const fault = this.#faultIn(area, known);
    if (fault !== undefined) return fail(fault);
    if (known !== undefined && isOlder(area, known)) return ok('unchanged');
    const retrievedAt = area.retrievedAt ?? known?.retrievedAt ?? null;
    const boundaryText = boundary === null ? null : JSON.stringify(boundary);
    if (known !== undefined && sameArea(known, area)) {
      if (retrievedAt !== known.retrievedAt) {
        known.retrievedAt = retrievedAt;
        await tx.db.updateTable('area').set({ retrieved_at: retrievedAt }).where('code', '=', area.code).execute();
      }
      if (boundaryText === null) return ok('unchanged');
      const row = await tx.db.selectFrom('area').select('boundary').where('code', '=', area.code).executeTakeFirst();
      if (row?.boundary === boundaryText) return ok('unchanged');
    }
    const box = boundary === null ? [] : measure(boundary).bbox;
    const point = area.point ?? known?.point ?? null;
    const columns = ['code', 'level', 'parent', 'slug', 'name_ja', 'name_en', 'lat', 'lon', 'retrieved_at'] as const;
    const names = [area.code, area.level, area.parent, area.slug, area.nameJa, area.nameEn];
    const values = [...names, point?.[1] ?? null, point?.[0] ?? null, retrievedAt];
    if (boundary === null) await tx.upsert('area', columns, [values]);
    else {
      const boxed = [...columns, 'boundary', 'west', 'south', 'east', 'north'] as const;
      await tx.upsert('area', boxed, [[...values, boundaryText, ...box]]);
    }
    await tx.insertNew('area_slug', ['parent', 'slug', 'code'], [[area.parent ?? '', area.slug, area.code]]);
    const isBounded = boundary !== null || known?.isBounded === true;
    this.#byCode.set(area.code, { ...area, point, retrievedAt, isBounded });
    this.#slugs.set(`${area.parent ?? ''}/${area.slug}`, area.code);
    this.#forget();
    return ok(known === undefined ? 'new' : 'changed');
  }

  /** Whether a slug is used by another area below the same parent, or reserved. */
  isSlugTaken(parent: string | null, slug: string, code: string): boolean {
    if (parent === null && RESERVED_SLUGS.has(slug)) return true;
    const holder = this.#slugs.get(`${parent ?? ''}/${slug}`);
    return holder !== undefined && holder !== code;
  }

  /** Sets or removes the boundary of an area. */
  async setBoundary(tx: Tx, code: string, boundary: AreaGeometry | null): Promise<void> {
    const [west, south, east, north] = boundary === null ? [null, null, null, null] : measure(boundary).bbox;
    await tx.db
      .updateTable('area')
      .set({ boundary: boundary === null ? null : JSON.stringify(boundary), west, south, east, north })
      .where('code', '=', code)
      .execute();
    const known = this.#byCode.get(code);
    if (known !== undefined) known.isBounded = boundary !== null;
    this.#boundaries.clear();
    this.#wards.clear();
    this.#points = undefined;
  }

  #forget(): void {
    this.#places.clear();
    this.#boundaries.clear();
    this.#wards.clear();
    this.#names = undefined;
    this.#points = undefined;
    this.#wardsOf.clear();
  }

  #faultIn(area: Area, known: Area | undefined): string | undefined {
    if (known !== undefined && (known.level !== area.level || known.parent !== area.parent)) {
      return `area ${area.code} is known as a ${known.level} elsewhere in the tree`;
    }
    if (area.parent !== null && this.#byCode.get(area.parent)?.level !== PARENT_LEVEL[area.level]) {
      return `parent ${area.parent} is not a known ${PARENT_LEVEL[area.level]}; load its line first`;
    }
    const holder = this.#slugs.get(`${area.parent ?? ''}/${area.slug}`);
    return holder === undefined || holder === area.code ? undefined : `slug ${area.slug} belongs to area ${holder}`;
  }

  /** The names and the path of a machi-aza. */
  place(code: string): PlacePath {
    let place = this.#places.get(code);
    if (place === undefined) {
      const machiAza = this.#known(code);
      const ward = this.#known(machiAza.parent);
      const prefecture = this.#known(ward.parent);
      place = {
        prefecture: toName(prefecture),
        ward: toName(ward),
        machiAza: toName(machiAza),
        path: `/japan/${prefecture.slug}/${ward.slug}/${machiAza.slug}`,
      };
      this.#places.set(code, place);
    }
    return place;
  }

  /** An area that other rows refer to; it is missing only if the database is damaged. */
  #known(code: string | null): Area {
    const area = this.#byCode.get(code ?? '');
    if (area === undefined) throw new FailureError({ kind: 'unknownArea' });
    return area;
  }

  /** The machi-aza whose boundary contains a position. */
  async locate(db: Db, position: Position): Promise<string | undefined> {
    const tile = meshCodeOf(position);
    let candidates = this.#boundaries.get(tile);
    if (candidates === undefined) {
      candidates = await this.#boundariesIn(db, tile);
      if (this.#boundaries.size >= CACHED_TILES) this.#boundaries.clear();
      this.#boundaries.set(tile, candidates);
    }
    const [lon, lat] = position;
    for (const { code, boundary, box } of candidates) {
      if (lon < box[0] || lat < box[1] || lon > box[2] || lat > box[3]) continue;
      if (contains(boundary, position)) return code;
    }
    return undefined;
  }

  /** The municipality whose boundary contains a position; undefined if none does, or more than one. */
  locateMunicipality(db: Db, position: Position): Promise<string | undefined> {
    return this.#wards.locate(db, position);
  }

  /** The machi-aza of some wards. */
  machiAzaByWard(wards: ReadonlySet<string>): Map<string, Area[]> {
    const found = new Map<string, Area[]>([...wards].map((ward) => [ward, []]));
    for (const area of this.#byCode.values()) {
      if (area.level === 'machiAza' && area.parent !== null) found.get(area.parent)?.push(area);
    }
    return found;
  }

  resolveAddress(address: string): ResolvedAddress | undefined {
    return this.#byName().resolve(address);
  }

  #byName(): AddressResolver {
    this.#names ??= new AddressResolver(this.#byCode.values());
    return this.#names;
  }

  get points(): MachiAzaPoints {
    this.#points ??= new MachiAzaPoints(this.#byCode.values());
    return this.#points;
  }

  /**
   * The wards that a municipality code stands for: the ward itself, or all wards of the city if the code is that of a
   * city with wards or of an abolished ward. Empty if the tree does not have them.
   */
  wardsOf(municipality: string): readonly string[] {
    let wards = this.#wardsOf.get(municipality);
    if (wards === undefined) {
      const city = dividedCityOf(municipality);
      if (city !== municipality && this.#byCode.get(municipality)?.level === 'ward') wards = [municipality];
      else wards = city === undefined ? [] : this.#wardsOfCity(city);
      this.#wardsOf.set(municipality, wards);
    }
    return wards;
  }

  #wardsOfCity(city: string): string[] {
    const wards = [...this.#byCode.values()].filter(
      ({ level, code }) => level === 'ward' && dividedCityOf(code) === city,
    );
    return wards.map(({ code }) => code).sort();
  }

  async #boundariesIn(db: Db, tile: string): Promise<BoundedArea[]> {
    const [lon, lat] = meshCentre(tile);
    const [halfWidth, halfHeight] = [1 / 160, 1 / 240];
    const rows = await db
      .selectFrom('area')
      .select(['code', 'boundary', 'west', 'south', 'east', 'north'])
      .where('level', '=', 'machiAza')
      .where('west', '<=', lon + halfWidth)
      .where('east', '>=', lon - halfWidth)
      .where('south', '<=', lat + halfHeight)
      .where('north', '>=', lat - halfHeight)
      .orderBy('code')
      .execute();
    return rows.map(({ code, boundary, west, south, east, north }) => ({
      code,
      boundary: JSON.parse(boundary as string) as AreaGeometry,
      box: [west, south, east, north] as Measures['bbox'],
    }));
  }
}

function isOlder({ retrievedAt }: Area, known: Area): boolean {
  if (retrievedAt == null || known.retrievedAt == null) return false;
  return instantSortKey(retrievedAt) < instantSortKey(known.retrievedAt);
}

/** A missing point keeps the known one. */
function sameArea(known: Area, { slug, nameJa, nameEn, point }: Area): boolean {
  return (
    known.slug === slug &&
    known.nameJa === nameJa &&
    known.nameEn === nameEn &&
    (point == null || (known.point?.[0] === point[0] && known.point[1] === point[1]))
  );
}

function toName({ code, slug, nameJa, nameEn }: Area): AreaName {
  return { code, slug, nameJa, nameEn };
}
