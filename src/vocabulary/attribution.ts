import type { Attribution } from './building-page.ts';
import { SOURCE_FACTS } from './source-facts.ts';
import { SOURCES, type Source } from './sources.ts';

/** A set of sources: one bit for each, in the order of the list of sources. */
export type Credits = number;

export function creditsOf(sources: Iterable<Source>): Credits {
  let credits = 0;
  for (const source of sources) credits |= 1 << SOURCES.indexOf(source);
  return credits;
}

/** ATT-01, ATT-02: the licence and the credit of each source of a set, in the order of the list of sources. */
export function attributionOf(credits: Credits): Attribution[] {
  return SOURCES.filter((_, bit) => (credits & (1 << bit)) !== 0).map((source) => {
    const { nameEn: name, licence, licenceUrl, attribution: credit } = SOURCE_FACTS[source];
    return { source, name, licence, licenceUrl, credit };
  });
}

/** ATT-05: the credit and the licence of a source in one line: `osm: © OpenStreetMap contributors (ODbL 1.0, https://…)`. */
export function toCreditLine({ source, licence, licenceUrl, credit }: Attribution): string {
  return `${source}: ${credit} (${credit.includes(licence) ? licenceUrl : `${licence}, ${licenceUrl}`})`;
}
