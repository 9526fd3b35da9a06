import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { html } from '../html.ts';

type Named = Pick<BuildingPage, 'fields'>;

const UNNAMED = 'Unnamed building';

/** What a building is called, in Japanese where it has such a name. */
interface Name {
  text: string;
  lang: 'ja' | 'en';
  /** Its name in the other language. */
  also: string | undefined;
  /** Whether any source gives it one. */
  isKnown: boolean;
}

export function displayName({ fields }: Named): Name {
  const [ja, en] = [fields.nameJa?.value, fields.nameEn?.value];
  const isKnown = ja !== undefined || en !== undefined;
  if (ja === undefined) return { text: String(en ?? UNNAMED), lang: 'en', also: undefined, isKnown };
  return { text: String(ja), lang: 'ja', also: en === undefined || en === ja ? undefined : String(en), isKnown };
}

/** The name of something that has two, one or none. */
export function shortName({ nameJa, nameEn }: { nameJa: string | null; nameEn: string | null }) {
  if (nameJa !== null) return html`<span lang="ja">${nameJa}</span>`;
  return html`${nameEn ?? UNNAMED}`;
}

/** Japanese text says that it is, so that it is drawn and read aloud as such. */
export const japanese = (text: string) => html`<span lang="ja">${text}</span>`;

/** Its address, or the names of the areas that it is in. */
export function displayAddress({ fields, location }: Pick<BuildingPage, 'fields' | 'location'>): string {
  const { prefecture, ward, machiAza } = location;
  return String(fields.addressJa?.value ?? [prefecture, ward, machiAza].map(({ nameJa }) => nameJa).join(''));
}
