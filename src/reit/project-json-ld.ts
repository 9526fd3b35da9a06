import { citationsAt, holdingsAt } from './citations.ts';
import type { Publication } from './document.ts';

/** LD-01: what there is and where it can be read; no financial value is repeated. */
export function projectJsonLd(
  buildingId: string,
  publications: readonly Publication[],
  /** The origin of the service, for absolute links. */
  origin: string,
  /** Those of the publications that the JSON serves too: the others have no link to it. */
  inJson: ReadonlySet<string>,
) {
  return {
    '@context': 'https://schema.org',
    '@type': 'DataCatalog',
    name: `REIT history of ${buildingId}`,
    about: place(buildingId, origin),
    dataset: publications.map((publication) => datasetOf(buildingId, publication, origin, inJson.has(publication.id))),
  };
}

function datasetOf(buildingId: string, { id, computedAt, document }: Publication, origin: string, isInJson: boolean) {
  const stated = document.sourceRevisions.filter(({ source }) => source !== 'dnk');
  const titles = new Map(stated.map(({ sourceUrl, title }) => [sourceUrl, title]));
  return {
    '@type': 'Dataset',
    identifier: id,
    name: [document.issuer.nameJa, ...holdingsAt(document, buildingId).map(({ nameJa }) => nameJa)].join(' '),
    description: 'What a REIT discloses of its interest in this building, which may be a part of it.',
    dateModified: computedAt,
    about: place(buildingId, origin),
    creditText: document.attributions.map(({ text }) => text).join('; '),
    citation: citationsAt(document, buildingId).map(({ sourceUrl, locator }) => ({
      '@type': 'CreativeWork',
      ...(titles.get(sourceUrl) === undefined ? {} : { name: titles.get(sourceUrl) }),
      url: sourceUrl,
      description: locator,
    })),
    ...(isInJson
      ? {
          distribution: {
            '@type': 'DataDownload',
            encodingFormat: 'application/json',
            contentUrl: `${origin}/japan/api/v1/assets/${buildingId}/reit`,
          },
        }
      : {}),
  };
}

function place(buildingId: string, origin: string) {
  return { '@type': 'Place', identifier: buildingId, url: `${origin}/japan/id/${buildingId}` };
}
