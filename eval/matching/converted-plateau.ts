import { readFileSync } from 'node:fs';
import type { SourceFile } from '../../src/sources/adapter.ts';
import { osm } from '../../src/sources/osm/adapter.ts';

/**
 * PLATEAU buildings that citygml-osm wrote as OSM objects, as lines of a records file. It numbers what is not in OSM
 * below zero, and joins buildings that touch into relations, which are no footprints of the source and are left out.
 */
export async function readConverted(path: string): Promise<object[]> {
  const text = readFileSync(path, 'utf8').replaceAll(/(id|ref)="-/g, '$1="');
  const bytes = Buffer.from(text);
  const file: SourceFile = {
    name: path,
    size: bytes.length,
    bytes: async function* () {
      yield bytes;
    },
  };
  const lines: object[] = [];
  for await (const items of osm.read([file], { retrievedAt: RETRIEVED_AT, url: undefined })) {
    for (const item of items) {
      if (item.kind !== 'record' || !item.record.sourceRecordId.startsWith('way/')) continue;
      const { sourceRecordId, geometry } = item.record;
      if (geometry === null || geometry.type === 'Point') continue;
      lines.push({
        kind: 'record',
        source: 'plateau',
        sourceRecordId,
        sourceUrl: 'https://www.geospatial.jp/ckan/dataset/plateau',
        retrievedAt: RETRIEVED_AT,
        rawPayloadRef: 'converted',
        extractionMethod: 'citygml',
        geometry,
        observations: [],
      });
    }
  }
  return lines;
}

const RETRIEVED_AT = '2022-01-01T00:00:00Z';
