import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { run } from '../format.ts';
import { type Html, html } from '../html.ts';

type Named = Pick<BuildingPage, 'fields'>;

interface DisplayName {
  /** In Japanese if known, otherwise in English. */
  text: string;
  lang: 'ja' | 'en';
  /** The English name beside a Japanese one. */
  also: string | undefined;
  isKnown: boolean;
}

export function displayName({ fields }: Named, t: Text): DisplayName {
  const [ja, en] = [fields.nameJa?.value, fields.nameEn?.value];
  if (ja !== undefined) {
    return {
      text: String(ja),
      lang: 'ja',
      also: en === undefined || en === ja ? undefined : String(en),
      isKnown: true,
    };
  }
  if (en !== undefined) return { text: String(en), lang: 'en', also: undefined, isKnown: true };
  return { text: t.building.unnamed, lang: t.lang, also: undefined, isKnown: false };
}

/** The Japanese name, else the English one. */
export function shortName(t: Text, { nameJa, nameEn }: { nameJa: string | null; nameEn: string | null }): Html {
  if (nameJa !== null) return run(t, nameJa);
  return nameEn === null ? html`${t.building.unnamed}` : run(t, nameEn, 'en');
}

/** The address, or else the names of its areas. */
export function displayAddress({ fields, location }: Pick<BuildingPage, 'fields' | 'location'>): string {
  const { prefecture, ward, machiAza } = location;
  return String(fields.addressJa?.value ?? [prefecture, ward, machiAza].map(({ nameJa }) => nameJa).join(''));
}
