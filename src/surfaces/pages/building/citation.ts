import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Text } from '../catalogue/catalogue.ts';
import type { Language } from '../catalogue/language.ts';
import { comparePath } from '../compare/compared.ts';
import { sourceChip } from '../evidence.ts';
import { formatDay, run, runs } from '../format.ts';
import { type Html, html, once } from '../html.ts';
import { displayName } from './names.ts';

/** URLs of the same record in every form. */
export function buildingLinks({ id, path }: BuildingPage, origin: string) {
  return {
    page: `${origin}${path}`,
    id: `${origin}/japan/id/${id}`,
    json: `${origin}/japan/api/v1/assets/${id}`,
    sources: `${origin}/japan/api/v1/assets/${id}/sources`,
    markdown: `${origin}${path}.md`,
    mcp: `${origin}/japan/mcp`,
  };
}

export const citation = (building: BuildingPage, t: Text): string => cite(building, t, displayName(building, t).text);

function cite({ history: [latest], id }: BuildingPage, t: Text, name: string): string {
  const version = latest === undefined ? '' : t.cite.version(latest.version, formatDay(t, latest.recordedAt));
  return t.cite.citation(name, id, version);
}

/** UI-07: the citation with a mark on a name in another language. */
function citationMarkup(building: BuildingPage, t: Text): Html {
  const { text, lang } = displayName(building, t);
  const [before, after] = cite(building, t, '\0').split('\0');
  return html`${before}${run(t, text, lang)}${after}`;
}

const words = new Map<Language, Html>();

/** The words of the copy buttons as an attribute. */
function copyWords(t: Text): Html {
  let attribute = words.get(t.lang);
  if (attribute === undefined) {
    const { copy, copied, selected, copyValue, valueForm } = t.cite;
    attribute = html`${JSON.stringify({ copy, copied, selected, copyValue, valueForm })}`;
    words.set(t.lang, attribute);
  }
  return attribute;
}

/** ATT-04: the credit and the licence of each source, in the language of the page. */
export function credits({ attribution }: BuildingPage, t: Text) {
  return attribution.map(({ source, licenceUrl }) => {
    const { attribution: credit, licence } = t.about.facts(source);
    return { source, credit, licence, licenceUrl };
  });
}

/** Most buildings have one of a few sets of sources. */
function creditList(building: BuildingPage, t: Text): Html {
  const key = building.attribution.map(({ source, licenceUrl }) => `${source} ${licenceUrl}`).join();
  return once(
    `credits ${t.lang} ${key}`,
    () =>
      html`${credits(building, t).map(
        ({ source, credit, licence, licenceUrl }) =>
          html`<li>${sourceChip(source, t.lang)} ${runs(t, credit)} · <a href="${licenceUrl}" rel="license noopener external">${runs(t, licence)}</a></li>`,
      )}`,
  );
}

/** UI-70: client/enhance.ts adds the copy buttons, with these words. */
export function citeSection(building: BuildingPage, origin: string, t: Text): Html {
  const { page, id, json, sources, markdown, mcp } = buildingLinks(building, origin);
  const link = (name: string, url: string) => {
    const before = once(`link ${t.lang} ${name}`, () => html`<div><dt>${name}</dt><dd><a href="`);
    const between = once(`copy ${t.lang}`, () => html`"><code data-copy="${t.cite.copyLink}">`);
    const address = html`${url}`;
    return html`${before}${address}${between}${address}</code></a></dd></div>`;
  };
  const record = { id: building.id, version: String(building.history[0]?.version ?? ''), url: id };
  return html`<section class="cite" aria-labelledby="cite" data-words="${copyWords(t)}" data-record="${JSON.stringify(record)}"><h2 id="cite">${t.cite.title}</h2>
<p class="quote"><span data-copy="${t.cite.copyCitation}">${citationMarkup(building, t)} ${id}</span></p>
<dl><div><dt>${t.table.id}</dt><dd><code data-copy="${t.cite.copyId}">${building.id}</code></dd></div>
${link(t.cite.permanent, id)}${link(t.cite.page, page)}${link(t.cite.json, json)}${link(t.cite.sources, sources)}${link(t.cite.markdown, markdown)}
<div><dt>${t.cite.mcp}</dt><dd>${t.cite.mcpAt(html`<code>get_asset {"id": "${building.id}"}</code>`, html`<code>${mcp}</code>`)}</dd></div></dl>
<h3 id="attribution">${t.cite.attribution}</h3>
<p>${t.cite.attributionNote}</p>
<ul class="credits">${creditList(building, t)}</ul>
<p class="actions"><a href="${comparePath([building.id])}">${t.cite.compareWith}</a></p>
</section>`;
}
