import type { Position } from '../../vocabulary/geometry.ts';
import { parseKanjiNumber, toKanjiNumber } from '../../vocabulary/japanese.ts';
import { prefectureName } from '../../vocabulary/prefectures.ts';
import type { AreaDraft } from '../draft.ts';
import type { AbrCells } from './tables.ts';

type PrefectureCells = Pick<AbrCells<'ward'>, 'lg_code' | 'pref' | 'pref_roma'>;
type WardCells = Omit<AbrCells<'ward'>, 'ablt_date'>;
type PointOf = (code: string) => Position | null;

export function isMunicipalityCode(lgCode: string): boolean {
  return /^\d{6}$/.test(lgCode) && prefectureName(lgCode.slice(0, 2)) !== undefined;
}

export const prefectureCodeOf = (lgCode: string): string => lgCode.slice(0, 2);
/** Without the check digit, as in every other source. */
export const wardCodeOf = (lgCode: string): string => lgCode.slice(0, 5);
export const machiAzaCodeOf = (lgCode: string, machiAzaId: string): string => wardCodeOf(lgCode) + machiAzaId;

export function prefectureDraft(cells: PrefectureCells, pointOf: PointOf): AreaDraft {
  const code = prefectureCodeOf(cells.lg_code);
  const slug = slugOf(cells.pref_roma)
    ?.replace(/^hokkai-do$/, 'hokkaido')
    .replace(/-(to|fu|ken|do)$/, '');
  return {
    level: 'prefecture',
    code,
    parent: null,
    slug: slug ?? `prefecture-${code}`,
    fallbackSlug: `${slug ?? 'prefecture'}-${code}`,
    nameJa: cells.pref || (prefectureName(code) as string),
    nameEn: cells.pref_roma || null,
    point: pointOf(code),
  };
}

export function wardDraft(cells: WardCells, pointOf: PointOf): AreaDraft {
  const code = wardCodeOf(cells.lg_code);
  const nameEn = romanise([cells.city, cells.city_roma], [cells.ward, cells.ward_roma]);
  const slug = nameEn === null ? null : slugOf(nameEn);
  const county = slugOf(cells.county_roma);
  return {
    level: 'ward',
    code,
    parent: prefectureCodeOf(cells.lg_code),
    slug: slug ?? `municipality-${code}`,
    fallbackSlug: slug !== null && county !== null ? `${county}-${slug}` : `${slug ?? 'municipality'}-${code}`,
    nameJa: cells.county + cells.city + cells.ward,
    nameEn,
    point: pointOf(code),
  };
}

export function machiAzaDraft(cells: Omit<AbrCells<'machiAza'>, 'ablt_date'>, pointOf: PointOf): AreaDraft {
  const code = machiAzaCodeOf(cells.lg_code, cells.machiaza_id);
  const chome = parseChome(cells.chome, cells.chome_number);
  const isUnnamed = cells.oaza_cho + cells.chome + cells.koaza === '';
  // A municipality that numbers its land without neighbourhoods: its own name is used.
  const nameEn = isUnnamed
    ? romanise([cells.city, cells.city_roma], [cells.ward, cells.ward_roma])
    : romanise([cells.oaza_cho, cells.oaza_cho_roma], [chome.ja, chome.en], [cells.koaza, cells.koaza_roma]);
  const slug = nameEn === null ? null : slugOf(nameEn);
  return {
    level: 'machiAza',
    code,
    parent: wardCodeOf(cells.lg_code),
    slug: slug ?? `machi-aza-${cells.machiaza_id}`,
    fallbackSlug: `${slug ?? 'machi-aza'}-${cells.machiaza_id}`,
    nameJa: isUnnamed ? cells.city + cells.ward : cells.oaza_cho + chome.ja + cells.koaza,
    nameEn,
    point: pointOf(code),
  };
}

/** １丁目, 1丁目 and 一丁目 become 一丁目, 1-chome; a name without a number is kept and has no English form. */
export function parseChome(chome: string, chomeNumber = ''): { ja: string; en: string } {
  const match = /^([0-9]+|[〇一二三四五六七八九十百]+)(丁目?)$/u.exec(chome.normalize('NFKC'));
  if (match === null) return { ja: chome, en: '' };
  const [, written = '', unit] = match;
  const number = Number(chomeNumber) || parseKanjiNumber(written) || Number(written);
  if (!(Number.isInteger(number) && number > 0 && number < 1000)) return { ja: chome, en: '' };
  return { ja: `${toKanjiNumber(number)}${unit}`, en: `${number}-${unit === '丁' ? 'cho' : 'chome'}` };
}

/** A name in Roman letters, or null if one of its parts has no romanisation. */
function romanise(...parts: [ja: string, roman: string][]): string | null {
  const written = parts.filter(([ja]) => ja !== '');
  if (written.length === 0 || written.some(([, roman]) => roman === '')) return null;
  return written.map(([, roman]) => roman).join(' ');
}

/** Lower-case ASCII and hyphens: Jun’ōji Higashi → junoji-higashi; null if it is not in Roman letters. */
function slugOf(roman: string): string | null {
  const plain = roman.normalize('NFKD').replace(/\p{M}|['’‘`ʼ]/gu, '');
  if (/[^\x20-\x7e\s‐–—−]/u.test(plain)) return null;
  return (
    plain
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || null
  );
}
