import { parseWebUrl } from '../../vocabulary/source-url.ts';

/** Markup that is safe to send. Only `html` and `raw` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Text is escaped, markup is not; what is absent leaves nothing. Attributes are to be quoted. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0] as string;
  for (let i = 0; i < values.length; i++) text += toText(values[i]) + (parts[i + 1] as string);
  return new Html(text);
}

/** Markup that this program wrote itself. */
export const raw = (text: string): Html => new Html(text);

function toText(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    let text = '';
    for (const each of value as readonly Value[]) text += toText(each);
    return text;
  }
  return '';
}

/** The halves of pairs that may be no character are in it too. */
const WORTH_ESCAPING =
  /["&'<>\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\udffe\udfff\ufdd0-\ufdef\ufffe\uffff]/;
const IS_HARMLESS = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  WORTH_ESCAPING.test(String.fromCharCode(unit)) ? 0 : 1,
);
const NO_TEXT = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Noncharacter_Code_Point}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Controls are no HTML, and those of direction could show what follows in another order: they are left out. */
function escapeHtml(text: string): string {
  // Most text is short and harmless, and this is faster than the expression would be.
  let i = 0;
  while (i < text.length && IS_HARMLESS[text.charCodeAt(i)] === 1) i++;
  if (i === text.length) return text;
  return text.replace(NO_TEXT, '').replace(/["&'<>]/g, (character) => ENTITIES[character] as string);
}

/** An address of a source as a link, where it leads to a web site or to a page of this service; undefined for what does not. */
export function safeLink(address: string): string | undefined {
  if (/^(?:\/japan|https?:\/\/[\w.-]+)\/[\w./-]*$/.test(address)) return address;
  return parseWebUrl(address)?.href;
}
