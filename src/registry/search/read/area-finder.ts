import type { Reads } from '../../../storage/storage.ts';
import { normaliseLine } from '../format/entry.ts';
import { readTerms } from '../format/grams.ts';
import type { EntryQuery } from './search.ts';

/** A suggested area with published buildings. */
export interface SuggestedArea {
  label: string;
  /** The areas that contain it. */
  detail: string;
  path: string;
  count: number;
  /** The same in English, for an area with an English name. */
  labelEn?: string;
  detailEn?: string;
}

interface KnownArea extends SuggestedArea {
  /** Its normalised Japanese name, and the same without the city or county. */
  name: string;
  ownName: string;
  /** Its names in Roman letters, each as `\nchiyoda ku `. */
  roman: string;
}

const toSuggested = ({ name: _name, ownName: _ownName, roman: _roman, ...area }: KnownArea): SuggestedArea => area;

/** More areas than this are not listed. The most frequent name of a ward, 北区, occurs twelve times. */
const MAX_NAMED = 24;

interface AreaRow {
  code: string;
  level: string;
  parent: string | null;
  slug: string;
  name: string;
  nameEn: string | null;
  count: number;
}

/** SUG-03, UI-42: finds areas by name; suggestions only by Japanese name, as the contract says. They are few and rarely change, so they are cached. */
export class AreaFinder {
  #areas: readonly KnownArea[] = [];
  #state = '';
  #readAt = 0;

  /**
   * Areas whose displayed name begins with the query, then those whose own name does (北区 of 大阪市北区); and the others that
   * contain each of its words. Sorted by path.
   */
  async find(
    reads: Reads,
    full: string,
    terms: readonly string[],
    most: number,
  ): Promise<{ beginning: SuggestedArea[]; having: SuggestedArea[] }> {
    const beginning: SuggestedArea[] = [];
    const beginningOwn: SuggestedArea[] = [];
    const having: SuggestedArea[] = [];
    for (const area of await this.#current(reads)) {
      if (beginning.length === most) break;
      const { name, ownName } = area;
      if (!terms.every((term) => name.includes(term))) continue;
      if (name.startsWith(full)) beginning.push(toSuggested(area));
      else if (ownName.startsWith(full)) beginningOwn.push(toSuggested(area));
      else if (having.length < most) having.push(toSuggested(area));
    }
    return { beginning: [...beginning, ...beginningOwn].slice(0, most), having };
  }

  /** UI-42: the areas that a search text names, by displayed name or own name, in Japanese or in Roman letters. */
  async named(reads: Reads, q: string): Promise<SuggestedArea[]> {
    const full = normaliseLine(q);
    if (full === '') return [];
    const { beginning } = await this.find(reads, full, readTerms(full), MAX_NAMED);
    const words = romanWords(full);
    if (beginning.length > 0 || words === undefined) return beginning;
    const areas = (await this.#current(reads)).filter(({ roman }) => roman.includes(`\n${words}`));
    return areas.slice(0, MAX_NAMED).map(toSuggested);
  }

  async #current(reads: Reads): Promise<readonly KnownArea[]> {
    const [row] = await reads.all<{ stale: number }>(STATE, []);
    const state = JSON.stringify(row);
    const isOld = performance.now() > this.#readAt + LONGEST_MS;
    if (state === this.#state && row?.stale === 0 && !isOld) return this.#areas;
    this.#areas = await readAreas(reads);
    this.#state = state;
    this.#readAt = performance.now();
    return this.#areas;
  }
}

/** Changes whenever areas or their counts do, except during a run, when there are stale areas. */
const STATE = `select (select max(id) from ingest) as ingest, (select max(finished_at) from ingest) as finished,
  (select max(id) from identity_event) as identity, (select max(at) from identity_event) as changed,
  case when exists (select 1 from stale_area) then 1 else 0 end as stale`;

/** Any other change is noticed after a minute. */
const LONGEST_MS = 60_000;

async function readAreas(reads: Reads): Promise<KnownArea[]> {
  const rows = await reads.all<AreaRow>(
    `select a.code, a.level, a.parent, a.slug, a.name_ja as name, a.name_en as "nameEn", s.building_count as count
      from area a join area_summary s on s.area = a.code`,
    [],
  );
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const parentsOf = (row: AreaRow): AreaRow[] => {
    const parent = row.parent === null ? undefined : byCode.get(row.parent);
    return parent === undefined ? [] : [...parentsOf(parent), parent];
  };
  const areas = rows.map((row): KnownArea => {
    const parents = parentsOf(row);
    const name = normaliseLine(row.name);
    return {
      name,
      ownName: row.level === 'ward' ? ownNameOf(name) : name,
      roman: romanNames(row),
      label: row.name,
      detail: parents.map(({ name }) => name).join(''),
      path: `/japan/${[...parents, row].map(({ slug }) => slug).join('/')}`,
      count: Number(row.count),
      ...(row.nameEn !== null && { labelEn: row.nameEn, detailEn: englishPlace(parents) }),
    };
  });
  return areas.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** From the smallest area to the largest, as in an English address: Kita-ku, Osaka. */
const englishPlace = (parents: readonly AreaRow[]): string =>
  parents
    .map(({ name, nameEn }) => nameEn ?? name)
    .reverse()
    .join(', ');

/** 大阪市北区 is 北区, 西多摩郡瑞穂町 is 瑞穂町: the name without its city or county. */
function ownNameOf(ward: string): string {
  const match = /^.+市([^市]+区)$/u.exec(ward) ?? /^.[^郡]*郡(.+[町村])$/u.exec(ward);
  return match?.[1] ?? ward;
}

/** The words of a name in Roman letters, so that Chiyoda, chiyoda-ku and CHIYODA KU begin alike; undefined for other text. */
function romanWords(text: string): string | undefined {
  const plain = text.normalize('NFKD').replace(/\p{M}|['’]/gu, '');
  if (/[^\x20-\x7e]/.test(plain)) return undefined;
  const words = plain.toLowerCase().match(/[a-z0-9]+/g);
  return words === null ? undefined : `${words.join(' ')} `;
}

const PREFECTURE_SUFFIXES: Readonly<Record<string, string>> = { 都: 'to', 府: 'fu', 県: 'ken' };

/** The English name and the slug, a prefecture also as Tokyo-to and Tokyo Prefecture, a city's ward also as Kita-ku. */
function romanNames({ level, name, nameEn, slug }: AreaRow): string {
  const names = new Set([romanWords(nameEn ?? ''), romanWords(slug)]);
  for (const each of [...names]) {
    if (level === 'prefecture') {
      const suffix = PREFECTURE_SUFFIXES[name.slice(-1)];
      if (suffix !== undefined) names.add(each && `${each}${suffix} `);
      names.add(each && `${each}prefecture `);
    }
    if (level === 'ward') names.add(/^.+ shi ((?:(?! shi ).)+ ku )$/.exec(each ?? '')?.[1]);
  }
  return [...names].map((each) => (each === undefined ? '' : `\n${each}`)).join('');
}

interface SlugRow {
  code: string;
  parent: string | null;
  grandparent: string | null;
}

/** The areas of the lowest requested level, inside those of the levels above it. */
export async function areasBySlug(
  reads: Reads,
  query: Readonly<Partial<Record<'prefecture' | 'ward' | 'machiAza', string | undefined>>>,
): Promise<EntryQuery['areas']> {
  const named = async (slug: string, level: string): Promise<SlugRow[]> => {
    // PostgreSQL rejects NUL in text, and no slug contains one.
    if (slug.includes('\0')) return [];
    return reads.all<SlugRow>(
      `select s.code, a.parent, p.parent as grandparent from area_slug s
        join area a on a.code = s.code left join area p on p.code = a.parent where s.slug = ? and a.level = ?`,
      [slug, level],
    );
  };
  let areas: EntryQuery['areas'];
  let prefectures: string[] | undefined;
  if (query.prefecture) {
    prefectures = (await named(query.prefecture, 'prefecture')).map(({ code }) => code);
    areas = { level: 'prefecture', codes: prefectures };
  }
  let wards: string[] | undefined;
  if (query.ward) {
    const rows = await named(query.ward, 'ward');
    wards = rows.filter(({ parent }) => prefectures?.includes(parent ?? '') ?? true).map(({ code }) => code);
    areas = { level: 'ward', codes: wards };
  }
  if (query.machiAza) {
    const rows = (await named(query.machiAza, 'machiAza')).filter(
      ({ parent, grandparent }) => wards?.includes(parent ?? '') ?? prefectures?.includes(grandparent ?? '') ?? true,
    );
    areas = { level: 'area', codes: rows.map(({ code }) => code) };
  }
  return areas;
}
