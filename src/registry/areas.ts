import type { Db, Tx } from '../storage/storage.ts';
import type { AreaLevel } from '../storage/tables.ts';
import type { AreaName } from '../vocabulary/building-page.ts';
import { type AreaGeometry, contains, measure, meshCentre, meshCodeOf, type Position } from '../vocabulary/geometry.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

export interface Area {
  code: string;
  level: AreaLevel;
  parent: string | null;
  slug: string;
  nameJa: string;
  nameEn: string | null;
}

export interface PlacePath {
  prefecture: AreaName;
  ward: AreaName;
  machiAza: AreaName;
  path: string;
}

const PARENT_LEVEL: Record<AreaLevel, AreaLevel | null> = { prefecture: null, ward: 'prefecture', machiAza: 'ward' };
const CACHED_TILES = 64;

/** The tree of areas, in memory; boundaries are read tile by tile as places are asked for. */
export class Areas {
  readonly #byCode = new Map<string, Area>();
  readonly #slugs = new Map<string, string>();
  readonly #places = new Map<string, PlacePath>();
  readonly #boundaries = new Map<string, { code: string; boundary: AreaGeometry }[]>();

  static async load(db: Db): Promise<Areas> {
    const areas = new Areas();
    const rows = await db
      .selectFrom('area')
      .select(['code', 'level', 'parent', 'slug', 'name_ja', 'name_en'])
      .execute();
    for (const { name_ja: nameJa, name_en: nameEn, ...row } of rows)
      areas.#byCode.set(row.code, { ...row, nameJa, nameEn });
    for (const { parent, slug, code } of await db.selectFrom('area_slug').selectAll().execute()) {
      areas.#slugs.set(`${parent}/${slug}`, code);
    }
    return areas;
  }

  get(code: string): Area | undefined {
    return this.#byCode.get(code);
  }

  /** Adds an area or corrects a known one. */
  async put(
    tx: Tx,
    area: Area,
    boundary: AreaGeometry | null,
  ): Promise<Result<'new' | 'changed' | 'unchanged', string>> {
    const known = this.#byCode.get(area.code);
    const fault = this.#faultIn(area, known);
    if (fault !== undefined) return fail(fault);
    const boundaryText = boundary === null ? null : JSON.stringify(boundary);
    if (known !== undefined && sameArea(known, area)) {
      if (boundaryText === null) return ok('unchanged');
      const row = await tx.db.selectFrom('area').select('boundary').where('code', '=', area.code).executeTakeFirst();
      if (row?.boundary === boundaryText) return ok('unchanged');
    }
    const box = boundary === null ? [] : measure(boundary).bbox;
    const columns = ['code', 'level', 'parent', 'slug', 'name_ja', 'name_en'] as const;
    const values = [area.code, area.level, area.parent, area.slug, area.nameJa, area.nameEn];
    if (boundary === null) await tx.upsert('area', columns, [values]);
    else {
      const boxed = [...columns, 'boundary', 'west', 'south', 'east', 'north'] as const;
      await tx.upsert('area', boxed, [[...values, boundaryText, ...box]]);
    }
    await tx.insertNew('area_slug', ['parent', 'slug', 'code'], [[area.parent ?? '', area.slug, area.code]]);
    this.#byCode.set(area.code, area);
    this.#slugs.set(`${area.parent ?? ''}/${area.slug}`, area.code);
    this.#places.clear();
    this.#boundaries.clear();
    return ok(known === undefined ? 'new' : 'changed');
  }

  #faultIn(area: Area, known: Area | undefined): string | undefined {
    if (known !== undefined && (known.level !== area.level || known.parent !== area.parent)) {
      return `area ${area.code} is known as a ${known.level} elsewhere in the tree`;
    }
    if (area.parent !== null && this.#byCode.get(area.parent)?.level !== PARENT_LEVEL[area.level]) {
      return `parent ${area.parent} is no known ${PARENT_LEVEL[area.level]}: load its line first`;
    }
    const holder = this.#slugs.get(`${area.parent ?? ''}/${area.slug}`);
    return holder === undefined || holder === area.code ? undefined : `slug ${area.slug} belongs to area ${holder}`;
  }

  /** The names and the path of a machi-aza. */
  place(code: string): PlacePath {
    let place = this.#places.get(code);
    if (place === undefined) {
      const machiAza = this.#byCode.get(code) as Area;
      const ward = this.#byCode.get(machiAza.parent as string) as Area;
      const prefecture = this.#byCode.get(ward.parent as string) as Area;
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

  /** The machi-aza whose boundary holds a place. */
  async locate(db: Db, position: Position): Promise<string | undefined> {
    const tile = meshCodeOf(position);
    let candidates = this.#boundaries.get(tile);
    if (candidates === undefined) {
      candidates = await this.#boundariesIn(db, tile);
      if (this.#boundaries.size >= CACHED_TILES) this.#boundaries.clear();
      this.#boundaries.set(tile, candidates);
    }
    return candidates.find(({ boundary }) => contains(boundary, position))?.code;
  }

  async #boundariesIn(db: Db, tile: string): Promise<{ code: string; boundary: AreaGeometry }[]> {
    const [lon, lat] = meshCentre(tile);
    const [halfWidth, halfHeight] = [1 / 160, 1 / 240];
    const rows = await db
      .selectFrom('area')
      .select(['code', 'boundary'])
      .where('level', '=', 'machiAza')
      .where('west', '<=', lon + halfWidth)
      .where('east', '>=', lon - halfWidth)
      .where('south', '<=', lat + halfHeight)
      .where('north', '>=', lat - halfHeight)
      .orderBy('code')
      .execute();
    return rows.map((row) => ({ code: row.code, boundary: JSON.parse(row.boundary as string) as AreaGeometry }));
  }
}

function sameArea(a: Area, b: Area): boolean {
  return a.slug === b.slug && a.nameJa === b.nameJa && a.nameEn === b.nameEn;
}

function toName({ code, slug, nameJa, nameEn }: Area): AreaName {
  return { code, slug, nameJa, nameEn };
}
