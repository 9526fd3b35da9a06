import type { Text } from '../catalogue/catalogue.ts';
import type { GraphNode } from '../json-ld.ts';
import type { Exported, ExportedFile } from './manifest.ts';

export const DOWNLOADS = '/japan/downloads';
type TypeOf = (name: string) => string;
const mediaType = (typeOf: TypeOf, name: string) => typeOf(name).split(';')[0];

/** DWN-04: the files in the terms of schema.org. */
export function dataCatalogue(
  t: Text,
  origin: string,
  exported: Exported | undefined,
  typeOf: TypeOf,
): readonly GraphNode[] {
  const { downloads } = t;
  const dataset = `${origin}${DOWNLOADS}#dataset`;
  return [
    {
      '@type': 'DataCatalog',
      '@id': `${origin}${DOWNLOADS}`,
      name: downloads.title,
      description: downloads.description,
      dataset: [{ '@id': dataset }],
    },
    {
      '@type': 'Dataset',
      '@id': dataset,
      url: `${origin}${DOWNLOADS}`,
      name: downloads.datasetName,
      description: downloads.lead,
      license: `${origin}/japan/about#sources`,
      isAccessibleForFree: true,
      spatialCoverage: { '@type': 'Country', name: 'Japan' },
      includedInDataCatalog: { '@id': `${origin}${DOWNLOADS}` },
      ...(exported && { dateModified: exported.day }),
      distribution: filesOf(exported).map(({ name, bytes, sha256 }) => ({
        '@type': 'DataDownload',
        name,
        contentUrl: `${origin}${DOWNLOADS}/${name}`,
        encodingFormat: mediaType(typeOf, name),
        contentSize: `${bytes} B`,
        sha256,
      })),
    },
  ];
}

const filesOf = (exported: Exported | undefined): readonly ExportedFile[] => exported?.files ?? [];

/** DWN-04: the files in the terms of DCAT 3. */
export function dcatCatalogue(t: Text, origin: string, exported: Exported | undefined, typeOf: TypeOf): object {
  const { downloads } = t;
  const named = (text: string) => ({ '@language': t.lang, '@value': text });
  const date = (day: string) => ({ '@type': 'xsd:date', '@value': day });
  return {
    '@context': {
      dcat: 'http://www.w3.org/ns/dcat#',
      dct: 'http://purl.org/dc/terms/',
      spdx: 'http://spdx.org/rdf/terms#',
      xsd: 'http://www.w3.org/2001/XMLSchema#',
    },
    '@id': `${origin}${DOWNLOADS}`,
    '@type': 'dcat:Catalog',
    'dct:title': named(downloads.title),
    'dct:description': named(downloads.description),
    'dcat:dataset': {
      '@id': `${origin}${DOWNLOADS}#dataset`,
      '@type': 'dcat:Dataset',
      'dct:title': named(downloads.datasetName),
      'dct:description': named(downloads.lead),
      'dct:license': { '@id': `${origin}/japan/about#sources` },
      'dcat:landingPage': { '@id': `${origin}${DOWNLOADS}` },
      ...(exported && { 'dct:modified': date(exported.day) }),
      'dcat:distribution': filesOf(exported).map(({ name, bytes, sha256, licences }) => ({
        '@id': `${origin}${DOWNLOADS}/${name}`,
        '@type': 'dcat:Distribution',
        'dct:title': name,
        'dct:rights': licences.join(', '),
        'dcat:downloadURL': { '@id': `${origin}${DOWNLOADS}/${name}` },
        'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType(typeOf, name)}` },
        'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': String(bytes) },
        'spdx:checksum': {
          '@type': 'spdx:Checksum',
          'spdx:algorithm': { '@id': 'spdx:checksumAlgorithm_sha256' },
          'spdx:checksumValue': { '@type': 'xsd:hexBinary', '@value': sha256 },
        },
      })),
    },
  };
}
