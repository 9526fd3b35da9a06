import type { Text } from '../catalogue/catalogue.ts';
import { langAttribute, languageOfWords, run } from '../format.ts';
import { type Html, html } from '../html.ts';
import { ownerPath } from './owner-path.ts';

/** UI-60: the name of an owner with a link to its page, or plain if the name is too long for one. */
export function ownerLink(t: Text, name: string): Html {
  const path = ownerPath(name);
  return path === undefined
    ? run(t, name, languageOfWords(name))
    : html`<a href="${path}"${langAttribute(t, name, languageOfWords(name))}>${name}</a>`;
}
