import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { compareText } from './canonical-json.ts';
import type { Document } from './document.ts';

const OWN = 'Computed by this service from the sources cited';

/** What must be said of the sources wherever their values are shown. */
export function attributionsOf(sources: Iterable<Source>): Document['attributions'] {
  return [...new Set(sources)].sort(compareText).map((source) => {
    return { source, text: source === 'dnk' ? OWN : SOURCE_FACTS[source].attribution };
  });
}
