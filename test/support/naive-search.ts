import type { AreaName, BuildingPage } from '../../src/vocabulary/building-page.ts';
import { byRecency, type Published } from './served-registry.ts';

/** A search of contract 4.2, answered by checking every published record. */
export interface Asked {
  q?: string;
  prefecture?: string;
  ward?: string;
  machiAza?: string;
  type?: string;
  page?: number;
}

export interface Expected {
  /** The items as their endpoint sends them. */
  items: string[];
  ids: string[];
  page: number;
  total: number;
  totalCapped: boolean;
}

const normalise = (text: string) => text.trim().normalize('NFKC').toLowerCase();

const foldWord = (text: string) =>
  normalise(text)
    .replace(/\s+/g, ' ')
    .replace(/^building=/, '');

/** SEA-03: the searchable values of a published record. */
export function searchableValues({ id, fields, aliases }: BuildingPage): string[] {
  const texts = [fields.nameJa, fields.nameEn, fields.addressJa].flatMap((field) => (field ? [field.value] : []));
  return [id, ...texts, ...aliases.map(({ value }) => value)].map(String);
}

const remembered = new WeakMap<Published, string[]>();

function normalisedValues(record: Published): string[] {
  const known = remembered.get(record) ?? searchableValues(record.page).map(normalise);
  remembered.set(record, known);
  return known;
}

export interface Meanings {
  /** Categories by requested type; any other word means the buildings that recorded it. */
  categories: Readonly<Record<string, string>>;
  /** Former slugs by area code. A renamed area is still found under them, and no other area can take them. */
  formerSlugs: Readonly<Record<string, string>>;
}

export function naiveSearch(
  records: readonly Published[],
  asked: Asked,
  { categories, formerSlugs }: Meanings,
): Expected {
  const isIn = ({ code, slug }: AreaName, named: string | undefined) =>
    named === undefined || slug === named || formerSlugs[code] === named;
  const terms = normalise(asked.q ?? '')
    .split(/\s/)
    .filter((term) => term.length > 0);
  const matching = records
    .filter((record) => {
      const { location, assetTypes } = record.page;
      if (!isIn(location.prefecture, asked.prefecture)) return false;
      if (!isIn(location.ward, asked.ward) || !isIn(location.machiAza, asked.machiAza)) return false;
      if (asked.type !== undefined) {
        const wanted = Object.hasOwn(categories, asked.type) ? categories[asked.type] : undefined;
        const isOne = assetTypes.some(({ category, value, provenance: { source } }) => {
          if (wanted !== undefined) return category === wanted;
          return source !== 'dnk' && foldWord(String(value)) === foldWord(asked.type ?? '');
        });
        if (!isOne) return false;
      }
      if (terms.length === 0) return true;
      return normalisedValues(record).some((value) => terms.every((term) => value.includes(term)));
    })
    .sort((a, b) => byRecency(a.page, b.page));
  const totalCapped = terms.length > 0 && matching.length > 1_000;
  const page = asked.page ?? 1;
  const shown = page > 50 ? [] : matching.slice((page - 1) * 20, page * 20);
  return {
    items: shown.map(({ text }) => text),
    ids: shown.map(({ page }) => page.id),
    page,
    total: totalCapped ? 1_000 : matching.length,
    totalCapped,
  };
}

export function searchUrl(asked: Asked): string {
  const parts = Object.entries(asked).map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`);
  return `/japan/api/v1/assets${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** Splits an envelope so that its items can be compared with the records byte by byte. */
export function readEnvelope(body: string): Expected {
  const { items, ...rest } = JSON.parse(body) as { items: BuildingPage[] } & Omit<Expected, 'items' | 'ids'>;
  return { items: items.map((item) => JSON.stringify(item)), ids: items.map(({ id }) => id), ...rest };
}
