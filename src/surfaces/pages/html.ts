import { parseWebUrl } from '../../vocabulary/source-url.ts';

/** Markup that needs no escaping; only `html` and `raw` create it. */
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

/** Escapes text, keeps markup, and writes nothing for null, undefined and false. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0] as string;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value instanceof Html) text += value.text;
    else text += typeof value === 'string' ? escapeHtml(value) : toText(value);
    text += parts[i + 1] as string;
  }
  return new Html(text);
}

/** Enough for every label and heading in both languages. */
const MAX_KEPT = 2_000;
const kept = new Map<string, Html>();

/** Markup that depends on little, rendered once for each key. */
export function once(key: string, render: () => Html): Html {
  let markup = kept.get(key);
  if (markup === undefined) {
    markup = render();
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, markup);
  }
  return markup;
}

/** Trusted markup; never for text from outside. */
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

/** Includes the surrogates that may be half of a noncharacter. */
const NEEDS_ESCAPING =
  /["&'<>\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\udffe\udfff\ufdd0-\ufdef\ufffe\uffff]/;
const IS_HARMLESS = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  NEEDS_ESCAPING.test(String.fromCharCode(unit)) ? 0 : 1,
);
/** What replaces a code unit that needs escaping, except for those surrogates. */
const REPLACEMENTS = new Map<number, string>(
  Object.entries({ '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }).map(
    ([character, entity]) => [character.charCodeAt(0), entity] as const,
  ),
);
for (let unit = 0; unit < IS_HARMLESS.length; unit++) {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  if (IS_HARMLESS[unit] === 0 && !isSurrogate && !REPLACEMENTS.has(unit)) REPLACEMENTS.set(unit, '');
}

/** Removes control characters, which HTML forbids, and direction controls, which could reorder the text that follows. */
function escapeHtml(text: string): string {
  // Most text is short and harmless; this check is faster than a regular expression.
  let i = 0;
  while (i < text.length && IS_HARMLESS[text.charCodeAt(i)] === 1) i++;
  if (i === text.length) return text;
  let escaped = '';
  let from = 0;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (IS_HARMLESS[unit] === 1) continue;
    const replacement = REPLACEMENTS.get(unit);
    if (replacement !== undefined) escaped += text.slice(from, i) + replacement;
    else if (i > from && isNoncharacter(text.codePointAt(i - 1) as number)) escaped += text.slice(from, i - 1);
    else continue;
    from = i + 1;
  }
  return escaped + text.slice(from);
}

/** Beyond the first plane, the last two code points of each plane. */
const isNoncharacter = (point: number) => point > 0xffff && (point & 0xfffe) === 0xfffe;

/** The URL of a source if it is http(s) or a path of this service; otherwise undefined, because it must not become a link. */
export function safeLink(url: string): string | undefined {
  if (/^(?:\/japan|https?:\/\/[\w.-]+)\/[\w./-]*$/.test(url)) return url;
  return parseWebUrl(url)?.href;
}
