import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { html } from '../html.ts';

type Named = Pick<BuildingPage, 'fields'>;

const UNNAMED = 'Unnamed building';

interface DisplayName {
  /** In Japanese if known, otherwise in English. */
  text: string;
  lang: 'ja' | 'en';
  /** The English name beside a Japanese one. */
  also: string | undefined;
  isKnown: boolean;
}

export function displayName({ fields }: Named): DisplayName {
  const [ja, en] = [fields.nameJa?.value, fields.nameEn?.value];
  const isKnown = ja !== undefined || en !== undefined;
  if (ja === undefined) return { text: String(en ?? UNNAMED), lang: 'en', also: undefined, isKnown };
  return { text: String(ja), lang: 'ja', also: en === undefined || en === ja ? undefined : String(en), isKnown };
}

export function shortName({ nameJa, nameEn }: { nameJa: string | null; nameEn: string | null }) {
  if (nameJa !== null) return html`<span lang="ja">${nameJa}</span>`;
  return html`${nameEn ?? UNNAMED}`;
}

/** Marks text as Japanese for fonts and screen readers. */
export const japanese = (text: string) => html`<span lang="ja">${text}</span>`;

/** The address, or else the names of its areas. */
export function displayAddress({ fields, location }: Pick<BuildingPage, 'fields' | 'location'>): string {
  const { prefecture, ward, machiAza } = location;
  return String(fields.addressJa?.value ?? [prefecture, ward, machiAza].map(({ nameJa }) => nameJa).join(''));
}
