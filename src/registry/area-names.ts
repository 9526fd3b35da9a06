import { normaliseAreaName } from '../vocabulary/area-names.ts';
import type { Area } from './areas.ts';

/** Where an address text lies, as far as the tree of areas can tell. */
export interface Resolved {
  ward: string;
  machiAza: string | null;
  /** What follows the machi-aza: house numbers, a building, a floor. Normalised. */
  rest: string;
}

interface NamedArea {
  name: string;
  code: string;
}

/** The areas of a tree by the names that address texts write. */
export class AreaNames {
  readonly #prefectures: NamedArea[] = [];
  readonly #wards = new Map<string, NamedArea[]>();
  readonly #machiAza = new Map<string, Map<string, string>>();
  readonly #longest = new Map<string, number>();

  constructor(areas: Iterable<Area>) {
    for (const { code, level, parent, nameJa } of areas) {
      const name = normaliseAreaName(nameJa);
      if (level === 'prefecture') this.#prefectures.push({ name, code });
      else if (level === 'ward') {
        const wards = this.#wards.get(parent as string) ?? [];
        wards.push({ name, code });
        // Addresses leave the county out as often as not.
        const short = /^.+?郡(.+)$/u.exec(name)?.[1];
        if (short !== undefined) wards.push({ name: short, code });
        this.#wards.set(parent as string, wards);
      } else {
        const names = this.#machiAza.get(parent as string) ?? new Map<string, string>();
        // Of two areas of one name the first code is taken, whatever the order they came in.
        const known = names.get(name);
        if (known === undefined || code < known) names.set(name, code);
        this.#machiAza.set(parent as string, names);
        this.#longest.set(parent as string, Math.max(name.length, this.#longest.get(parent as string) ?? 0));
      }
    }
  }

  /** The machi-aza of a ward that has a name. */
  find(ward: string, nameJa: string): string | undefined {
    return this.#machiAza.get(ward)?.get(normaliseAreaName(nameJa));
  }

  /** Undefined where no ward, or more than one, can be meant. */
  resolve(address: string): Resolved | undefined {
    const text = normaliseAreaName(address.replace(/^\s*〒?\s*[\d０-９]{3}[-－‐ー]?[\d０-９]{4}\s*/u, ''));
    const prefecture = this.#prefectures.find(({ name }) => text.startsWith(name));
    const rest = prefecture === undefined ? text : text.slice(prefecture.name.length);
    const wards =
      prefecture === undefined ? [...this.#wards.values()].flat() : (this.#wards.get(prefecture.code) ?? []);
    const meant = wards.filter(({ name }) => rest.startsWith(name));
    const longest = Math.max(0, ...meant.map(({ name }) => name.length));
    const found = meant
      .filter(({ name }) => name.length === longest)
      .map(({ name, code }) => this.#resolveIn(code, rest.slice(name.length)));
    const placed = found.filter(({ machiAza }) => machiAza !== null);
    const candidates = placed.length > 0 ? placed : found;
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  #resolveIn(ward: string, text: string): Resolved {
    const names = this.#machiAza.get(ward);
    // 本郷4-14-10 is 本郷四丁目14番10号, where there is such a chome.
    const short = /^(\D+?)(\d+)[-‐‑–—―−ー](?=\d)/u.exec(text);
    if (short !== null) {
      const machiAza = names?.get(`${short[1]}${short[2]}丁目`);
      if (machiAza !== undefined) return { ward, machiAza, rest: text.slice(short[0].length) };
    }
    for (let length = Math.min(text.length, this.#longest.get(ward) ?? 0); length > 0; length--) {
      const machiAza = names?.get(text.slice(0, length));
      if (machiAza === undefined) continue;
      return { ward, machiAza, rest: text.slice(length) };
    }
    // Kyoto's addresses may tell the way along its streets before the machi-aza: 三条通河原町東入弁慶石町56.
    const way = /^.*?(?:上[るル]|下[るル]|[東西]入[るル]?)(?=.)/u.exec(text);
    return way === null ? { ward, machiAza: null, rest: text } : this.#resolveIn(ward, text.slice(way[0].length));
  }
}
