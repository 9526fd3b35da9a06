import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { dayOf } from '../format.ts';
import { type Html, html } from '../html.ts';
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

export function citation(building: BuildingPage): string {
  const [latest] = building.history;
  const version = latest === undefined ? '' : `, version ${latest.version} (${dayOf(latest.recordedAt)})`;
  return `“${displayName(building).text}”, ${building.id}${version}. Tatemono, the open building registry for Japan.`;
}

export function citeSection(building: BuildingPage, origin: string): Html {
  const { page, id, json, sources, markdown, mcp } = buildingLinks(building, origin);
  const link = (name: string, url: string) =>
    html`<div><dt>${name}</dt><dd><a href="${url}"><code>${url}</code></a></dd></div>`;
  return html`<section class="cite" aria-labelledby="cite"><h2 id="cite">Cite and link <span class="ja" lang="ja">引用</span></h2>
<p class="quote" data-copy>${citation(building)} ${id}</p>
<dl>${link('Permanent link', id)}${link('This page', page)}${link('JSON', json)}${link('Sources', sources)}${link('Markdown', markdown)}
<div><dt>MCP</dt><dd><code>get_asset {"id": "${building.id}"}</code> at <code>${mcp}</code></dd></div></dl>
</section>`;
}
