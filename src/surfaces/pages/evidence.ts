import type { Provenance } from '../../vocabulary/canonical.ts';
import type { Source } from '../../vocabulary/sources.ts';
import type { Text } from './catalogue/catalogue.ts';
import { METHOD_LABELS, SOURCE_NAMES } from './catalogue/labels.ts';
import type { Language } from './catalogue/language.ts';
import { dayElement } from './format.ts';
import { type Html, html, safeLink } from './html.ts';

export const sourceChip = (source: Source, lang: Language): Html =>
  html`<span class="chip s-${source}">${SOURCE_NAMES[source][lang]}</span>`;

/** Most fields of a record come from a few source records, so recent markup is reused. */
const MAX_RECENT = 64;
const recent = new Map<string, Html>();

/** The source with a link to its record, the retrieval date and the confidence. */
export function evidence(t: Text, provenance: Provenance): Html {
  const { source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence } = provenance;
  const key = `${t.lang} ${source} ${extractionMethod} ${confidence} ${retrievedAt} ${sourceRecordId} ${sourceUrl}`;
  let markup = recent.get(key);
  if (markup === undefined) {
    markup = html`<span class="evidence">${recordLink(t, provenance)} ${confidenceBar(t, confidence)}</span>`;
    if (recent.size === MAX_RECENT) recent.clear();
    recent.set(key, markup);
  }
  return markup;
}

/** The source with a link to its record, and the retrieval date. */
export const recordLink = (t: Text, provenance: Provenance): Html =>
  html`${sourceLink(t, provenance)} ${dayElement(t, provenance.retrievedAt)}`;

/** The source with a link to its record. */
export function sourceLink(t: Text, provenance: Provenance): Html {
  const { source, sourceRecordId, sourceUrl, extractionMethod } = provenance;
  const name = SOURCE_NAMES[source][t.lang];
  const url = source === 'dnk' ? undefined : safeLink(sourceUrl);
  const method = METHOD_LABELS[extractionMethod][t.lang];
  const how = source === 'dnk' ? method : t.building.methodOf(method, sourceRecordId);
  return url === undefined
    ? html`<span class="chip s-${source}" title="${how}">${name}</span>`
    : html`<a class="chip s-${source}" href="${url}" title="${how}" rel="nofollow noopener external">${name}</a>`;
}

const BAR_WIDTH = 32;

function confidenceBar(t: Text, confidence: number): Html {
  const filled = Math.round(confidence * BAR_WIDTH);
  return html`<span class="confidence" title="${t.building.confidenceRange}"><svg width="${BAR_WIDTH}" height="4" aria-hidden="true"><rect width="${BAR_WIDTH}" height="4" rx="2"/><rect class="filled" width="${filled}" height="4" rx="2"/></svg><span class="sr">${t.building.confidence} </span>${confidence}</span>`;
}
