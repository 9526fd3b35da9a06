import { readFileSync } from 'node:fs';
import type { SourceFile } from '../../src/files/source-file.ts';
import { osm } from '../../src/sources/osm/adapter.ts';

/**
 * Converts PLATEAU buildings that citygml-osm wrote as OSM objects to lines of a records file. New objects have negative
 * IDs. It joins adjacent buildings in a relation with an outline; only the parts are footprints of PLATEAU
 * (`ref:MLIT_PLATEAU`), not the relation or its outline.
 */
export async function readConverted(path: string): Promise<object[]> {
  const text = readFileSync(path, 'utf8')
    .replaceAll(/(id|ref)="-/g, '$1="')
    .replaceAll(/<relation[\s\S]*?<\/relation>/g, '')
    .replaceAll(/<way[\s\S]*?<\/way>/g, (way) =>
      way.includes('"ref:MLIT_PLATEAU"') ? way.replace('"building:part"', '"building"') : '',
    );
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
