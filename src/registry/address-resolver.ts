import { mayFollowName, readChome, readPartUnit, withoutPreamble } from '../vocabulary/address.ts';
import { type FoldedName, foldAreaName, normaliseAreaName } from '../vocabulary/area-names.ts';
import { NUMERALS } from '../vocabulary/japanese.ts';
import type { Area } from './areas.ts';

/** The location of an address text, as far as the area tree determines it. */
export interface ResolvedAddress {
  ward: string;
  machiAza: string | null;
  /** What follows the machi-aza: house numbers, a building, a floor. In one width, with its spaces. */
  rest: string;
}

/** What the resolver needs of an area. */
export type NamedPlace = Pick<Area, 'code' | 'level' | 'parent' | 'nameJa'>;

interface NamedArea {
  name: string;
  code: string;
}

interface NamedWard extends NamedArea {
  /** The ward of a city without the city: 青葉区 for 仙台市青葉区. Several cities have wards of the same name. */
  isWithoutCity: boolean;
}

/** The machi-aza of a ward by name. */
class MachiAzaNames {
  readonly byName = new Map<string, string>();
  /** By what precedes the number of a chome, then by the number: 本郷 and 4 for 本郷四丁目. */
  readonly chomeByStem = new Map<string, Map<number, string>>();
  /** Stems without 条, each with a machi-aza whose lots may look the same: 東茨戸 for 東茨戸1-. */
  readonly lotAreaOf = new Map<string, string>();
  /** Areas with the name of their municipality, which numbers its land without machi-aza. */
  readonly municipal = new Map<string, string>();
  longest = 0;

  add(nameJa: string, code: string): void {
    const name = normaliseAreaName(nameJa);
    if (/^(?!大?字).+[市町村区]$/u.test(nameJa)) this.municipal.set(name, code);
    // If two areas have the same name, the lower code wins, whatever the order.
    if (code < (this.byName.get(name) ?? '~')) this.byName.set(name, code);
    this.longest = Math.max(this.longest, name.length);
    const [, stem, number] = /^(.*\D)(\d{1,3})(?:丁目?|町目|番[町丁])$/u.exec(name) ?? [];
    if (stem === undefined) return;
    this.#addChome(stem, Number(number), code);
    // Hokkaido also omits 条: 北16西2-1-1 is in 北16条西2丁目, 月寒東3-18-1 in 月寒東3条18丁目.
    const [, lotArea, row, side] = /^(.*\D)(\d{1,3})条(\D*)$/u.exec(stem) ?? [];
    if (lotArea === undefined) return;
    const short = `${lotArea}${row}${side || '-'}`;
    this.#addChome(short, Number(number), code);
    this.lotAreaOf.set(short, lotArea);
    this.longest = Math.max(this.longest, short.length);
  }

  /** Whether a longer name continues like this. Called rarely, so a linear scan is enough. */
  hasContinuation(name: string, pattern: RegExp): boolean {
    return this.byName.keys().some((longer) => longer.startsWith(name) && pattern.test(longer.slice(name.length)));
  }

  #addChome(stem: string, number: number, code: string): void {
    const chome = this.chomeByStem.get(stem) ?? new Map<number, string>();
    if (code < (chome.get(number) ?? '~')) chome.set(number, code);
    this.chomeByStem.set(stem, chome);
  }
}

/** The texts with which an address in this machi-aza may name it, up to the number of its chome. */
export function machiAzaStems(nameJa: string): string[] {
  const names = new MachiAzaNames();
  names.add(nameJa, '');
  return [...new Set([...names.byName.keys(), ...names.chomeByStem.keys()])];
}

const LEADING_NUMERALS = new RegExp(`^[${NUMERALS}壱弐参拾]+`, 'u');

/** How much of an address may name the prefecture and the ward, and then the machi-aza. */
const MAX_WARD_NAME = 60;
const MAX_NAME = 100;

/**
 * In Kyoto, street directions may precede the machi-aza: 三条通河原町東入弁慶石町56. They end with a turn, optionally followed by
 * the number of streets, a side or a corner.
 */
const TURN = /(?:上|下)(?:[るル]|[がガケ][るル])|[東西南北]入(?:[るル])?/gu;
const AFTER_TURN =
  /^(?:より.{1,10}?まで)?(?:まで)?(?:[\d一二三四五六七八九十]+(?:筋目|丁目?))?(?:[東西南北]{1,2}(?:側|角|裏))?(?:角)?/u;

/** Street directions may also follow the machi-aza: 役人町中立売通堀川西入260番. */
const STREET_AFTER_NAME = /^[^\d()通]{1,8}通[^\d()通]{1,8}?(?:[上下][るル]|[東西南北]入[るル]?)(?=\s*(?:[\d(]|$))/u;

/** Finds areas by the names that address texts use. */
export class AddressResolver {
  readonly #prefectures: NamedArea[] = [];
  readonly #wards = new Map<string, NamedWard[]>();
  readonly #machiAza = new Map<string, MachiAzaNames>();

  constructor(areas: Iterable<NamedPlace>) {
    this.add(areas);
  }

  /** Adds areas; machi-aza may be added ward by ward, when an address names the ward. */
  add(areas: Iterable<NamedPlace>): void {
    for (const { code, level, parent, nameJa } of areas) {
      if (level === 'prefecture') this.#prefectures.push({ name: normaliseAreaName(nameJa), code });
      else if (level === 'ward') {
        const wards = this.#wards.get(parent as string) ?? [];
        wards.push(...namesOfWard(normaliseAreaName(nameJa)).map((named) => ({ ...named, code })));
        this.#wards.set(parent as string, wards);
      } else {
        const names = this.#machiAza.get(parent as string) ?? new MachiAzaNames();
        names.add(nameJa, code);
        this.#machiAza.set(parent as string, names);
      }
    }
  }

  /** The machi-aza of a ward with this name. */
  find(ward: string, nameJa: string): string | undefined {
    return this.#machiAza.get(ward)?.byName.get(normaliseAreaName(nameJa));
  }

  /** Undefined if the address fits no ward, or more than one. */
  resolve(address: string): ResolvedAddress | undefined {
    const { original, ends, at, likely } = this.#readWards(address);
    const resolved = likely.map((ward) => this.#resolveIn(ward, original.slice(ends[at + ward.name.length])));
    const withMachiAza = resolved.filter(({ machiAza }) => machiAza !== null);
    const isNamed = likely.some(({ isWithoutCity }) => !isWithoutCity);
    const candidates = withMachiAza.length > 0 ? withMachiAza : isNamed ? resolved : [];
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  /** The wards that an address may name, whose machi-aza `resolve` needs. */
  wardsIn(address: string): string[] {
    return this.#readWards(address).likely.map(({ code }) => code);
  }

  /** What an address without a ward consists of: the prefecture, if it names one, and the text after it. */
  withoutWard(address: string): { prefecture: string | undefined; rest: string } {
    const { original, ends, at, prefecture } = this.#readWards(address);
    return { prefecture: prefecture?.code, rest: original.slice(ends[at]) };
  }

  /** The location of a text without a ward in each of some wards that has such a machi-aza. */
  resolveInWards(rest: string, wards: readonly string[]): ResolvedAddress[] {
    return wards
      .map((code) => this.#resolveIn({ name: '', code, isWithoutCity: false }, rest))
      .filter(({ machiAza }) => machiAza !== null);
  }

  #readWards(address: string) {
    const original = withoutPreamble(address);
    const { text, ends } = foldAreaName(original.slice(0, MAX_WARD_NAME));
    const prefecture = this.#prefectures.find(({ name }) => text.startsWith(name));
    const at = prefecture?.name.length ?? 0;
    const wards =
      prefecture === undefined ? [...this.#wards.values()].flat() : (this.#wards.get(prefecture.code) ?? []);
    const matching = wards.filter(({ name }) => text.startsWith(name, at));
    const withCity = matching.filter(({ isWithoutCity }) => !isWithoutCity);
    const named = withCity.length > 0 ? withCity : matching;
    const longest = Math.max(0, ...named.map(({ name }) => name.length));
    return { original, ends, at, prefecture, likely: named.filter(({ name }) => name.length === longest) };
  }

  #resolveIn({ name, code: ward }: NamedWard, original: string): ResolvedAddress {
    const names = this.#machiAza.get(ward);
    const onlyWard = { machiAza: null, rest: original };
    if (names === undefined) return { ward, ...onlyWard };
    // The name of the machi-aza is folded separately from the ward's: a character that joins two words may also begin a
    // name (乃木浜).
    const text = { original, folded: foldAreaName(original.slice(0, MAX_NAME)) };
    const direct = readMachiAza(names, text, 0);
    if (direct !== undefined) return { ward, ...direct };
    for (const turn of [...text.folded.text.matchAll(TURN)].reverse()) {
      const end = turn.index + turn[0].length;
      const detail = AFTER_TURN.exec(text.folded.text.slice(end))?.[0].length ?? 0;
      const machiAza = readMachiAza(names, text, end) ?? readMachiAza(names, text, end + detail);
      if (machiAza !== undefined) return { ward, ...machiAza };
    }
    const municipal = names.municipal.get(name.replace(/^.[^郡]*郡(?=.+[町村]$)/u, ''));
    if (municipal !== undefined && !/^\s*大?字/u.test(original) && mayFollowName(original))
      return { ward, machiAza: municipal, rest: original };
    return { ward, ...onlyWard };
  }
}

interface AddressText {
  original: string;
  folded: FoldedName;
}

type MachiAzaMatch = Pick<ResolvedAddress, 'machiAza' | 'rest'>;

const restOf = ({ original, folded }: AddressText, at: number) => original.slice(folded.ends[at] ?? original.length);

/** Every form in which an address may begin with the name of a ward or town. */
function namesOfWard(name: string): { name: string; isWithoutCity: boolean }[] {
  const names = [{ name, isWithoutCity: false }];
  // Addresses often omit the county.
  const [, town] = /^.[^郡]*郡(.+[町村])$/u.exec(name) ?? [];
  if (town !== undefined) names.push({ name: town, isWithoutCity: false });
  // 八丈島八丈町 and 三宅島三宅村.
  const [, island] = /^([^郡市区島]+)[町村]$/u.exec(name) ?? [];
  if (island !== undefined) names.push({ name: `${island}島${name}`, isWithoutCity: false });
  const [, ward] = /^.[^市]*市(.+区)$/u.exec(name) ?? [];
  // Without a city these are in Tokyo.
  if (ward !== undefined && !['中央区', '北区', '港区'].includes(ward)) names.push({ name: ward, isWithoutCity: true });
  return names;
}

/** The longest name of a machi-aza at this position; undefined if none is certain. */
function readMachiAza(names: MachiAzaNames, text: AddressText, at: number): MachiAzaMatch | undefined {
  const { folded } = text;
  let isLongest = true;
  for (let end = Math.min(folded.text.length, at + names.longest); end > at; end--) {
    const name = folded.text.slice(at, end);
    // A name may end with 字, which is dropped elsewhere: 大崎五字12番地.
    const [suffix = ''] = /^\s*大?字(?=[\s\d]|$)/u.exec(restOf(text, end).slice(0, 8)) ?? [];
    const withSuffix = suffix === '' ? undefined : names.byName.get(name + suffix.trim());
    if (withSuffix !== undefined) return { machiAza: withSuffix, rest: restOf(text, end).slice(suffix.length) };
    const chome = names.chomeByStem.get(name);
    const lotArea = names.lotAreaOf.get(name);
    const undivided = names.byName.get(lotArea ?? name);
    if (chome === undefined && undivided === undefined) continue;
    const after = restOf(text, end);
    const written = readChome(after);
    if (chome !== undefined && written !== undefined) {
      const machiAza = chome.get(written.number);
      // 本町4-14 is in 本町 or in 本町四丁目 if both exist.
      const isCertain = undivided === undefined || written.as === 'chome' || written.as === 'first of three';
      if (machiAza !== undefined) {
        if (!isCertain) return undefined;
        if (mayFollowName(written.rest)) return { machiAza, rest: written.rest };
        // 北八条西2丁目札幌第一合同庁舎, 天神橋2丁目北2番6号; but 本通21丁目南 is a machi-aza of its own.
        const isOtherArea = /^\s*[東西南北]/u.test(written.rest) && names.hasContinuation(name, /^\d+丁目?[東西南北]/u);
        return written.as === 'chome' && !isOtherArea ? { machiAza, rest: '' } : undefined;
      }
      if (lotArea === undefined && (written.as === 'chome' || undivided === undefined)) return undefined;
    }
    if (undivided === undefined || lotArea !== undefined) continue;
    // A chome that the tree lacks: its house numbers are not house numbers of the undivided area.
    if (chome === undefined && written?.as === 'chome') return { machiAza: undivided, rest: '' };
    // 稲熊町字2-18-1 is in 稲熊町 or in its second chome.
    if (chome !== undefined && /^\s*字\s*\d/u.test(after)) return undefined;
    if (mayFollowName(after) && !beginsKoaza(names, name, after)) return { machiAza: undivided, rest: after };
    const [street] = STREET_AFTER_NAME.exec(after) ?? [];
    if (street !== undefined) return { machiAza: undivided, rest: after.slice(street.length) };
    // Lots of a part that the tree lacks are not lots of the undivided area.
    if (beginsPart(names, name, after, isLongest)) return { machiAza: undivided, rest: '' };
    isLongest = false;
  }
  return undefined;
}

/** Whether numerals after a name may name a part of it: 高柳町三十二番地 may be in 高柳町字三 if that exists. */
function beginsKoaza(names: MachiAzaNames, name: string, after: string): boolean {
  const [numerals = ''] = LEADING_NUMERALS.exec(after) ?? [];
  return [...numerals].some((_, i) => names.byName.has(name + normaliseAreaName(numerals.slice(0, i + 1))));
}

/** The koaza of 下地念古67. Text that begins or ends like this (通, 東, 新町, 台) would be another machi-aza. */
const KOAZA = /^\s*(?![東西南北通筋新本元旧])[\p{Script=Han}ケヶのノツ]{2,10}(?<![町村台丘通筋団地])(?=\s*(?:\d|$))/u;

/** Whether the text names a part of a machi-aza whose parts the tree lacks: 29地割77, 第80号1番地, 下地念古67. */
function beginsPart(names: MachiAzaNames, name: string, after: string, isLongest: boolean): boolean {
  const unit = readPartUnit(after);
  if (unit !== undefined) return unit === '' || !names.hasContinuation(name, new RegExp(`^\\d+${unit}`, 'u'));
  if (!isLongest || name.length < 2 || !KOAZA.test(after) || LEADING_NUMERALS.test(after)) return false;
  // 大柳上野 is not in 大柳 if 大柳 is a koaza itself.
  const isPart = [...name].some((_, i) => names.byName.has(name.slice(0, i)));
  return !isPart && (/..町$/u.test(name) || !names.hasContinuation(name, /^\D/u));
}
