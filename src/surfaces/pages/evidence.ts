import { LRUCache } from 'lru-cache';
import type { Provenance } from '../../vocabulary/canonical.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { METHOD_LABELS, SOURCE_NAMES } from './catalogue/labels.ts';
import type { Language } from './catalogue/language.ts';
import { dayOf } from './format.ts';
import { type Html, html, safeLink } from './html.ts';

export const sourceChip = (source: Source, lang: Language = 'en'): Html =>
  html`<span class="chip s-${source}">${SOURCE_NAMES[source][lang]}</span>`;

/** Most fields of a record come from a few source records, so recent markup is reused. */
const recent = new LRUCache<string, Html>({ max: 64 });

export function evidence(provenance: Provenance): Html {
  const { source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence } = provenance;
  const key = `${source} ${extractionMethod} ${confidence} ${retrievedAt} ${sourceRecordId} ${sourceUrl}`;
  let markup = recent.get(key);
  if (markup === undefined) {
    markup = compose(provenance);
    recent.set(key, markup);
  }
  return markup;
}

/** The source with a link to its record, the retrieval date and the confidence. */
function compose({ source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence }: Provenance): Html {
  const name = SOURCE_NAMES[source].en;
  const url = source === 'dnk' ? undefined : safeLink(sourceUrl);
  const how = `${METHOD_LABELS[extractionMethod].en}${source === 'dnk' ? '' : `, record ${sourceRecordId}`}`;
  return html`<span class="evidence">${
    url === undefined
      ? html`<span class="chip s-${source}" title="${how}">${name}</span>`
      : html`<a class="chip s-${source}" href="${url}" title="${how}" rel="nofollow noopener external">${name}</a>`
  } <time datetime="${retrievedAt}">${dayOf(retrievedAt)}</time> ${confidenceBar(confidence)}</span>`;
}

const BAR_WIDTH = 32;

function confidenceBar(confidence: number): Html {
  const filled = Math.round(confidence * BAR_WIDTH);
  return html`<span class="confidence" title="Confidence, from 0 to 1"><svg width="${BAR_WIDTH}" height="4" aria-hidden="true"><rect width="${BAR_WIDTH}" height="4" rx="2"/><rect class="filled" width="${filled}" height="4" rx="2"/></svg><span class="sr">confidence </span>${confidence}</span>`;
}
