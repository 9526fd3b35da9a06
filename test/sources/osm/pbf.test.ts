import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { untilBroken } from '../../../src/files/broken-file.ts';
import type { SourceFile } from '../../../src/files/source-file.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import { osm } from '../../../src/sources/osm/adapter.ts';
import { readOsmPbf } from '../../../src/sources/osm/pbf/read-osm-pbf.ts';
import { nodeXml, osmXml, relationXml, wayXml } from '../../support/osm-xml.ts';
import { fileOf, readAll } from '../../support/source-files.ts';
import {
  blob,
  headerBlob,
  lz4Packing,
  nodesBlob,
  noPacking,
  type PbfElement,
  type PbfNode,
  plainNodesBlob,
  waysBlob,
  writePbf,
  zstdPacking,
} from '../../support/write-pbf.ts';

const readPbf = (content: Uint8Array, chunk = 61) => readAll(osm, [fileOf('a.osm.pbf', content, chunk)]);

async function readWithin(budget: number, file: SourceFile): Promise<Item[]> {
  const items: Item[] = [];
  for await (const some of untilBroken(file.name, readOsmPbf(file, budget))) items.push(...some);
  return items;
}

/** A town: buildings, parts, a relation of two ways, a relation with an outline, roads, shops. */
function town(count: number): PbfElement[] {
  const nodes: PbfElement[] = [];
  const ways: PbfElement[] = [];
  const relations: PbfElement[] = [];
  for (let i = 0; i < count; i++) {
    const [lon, lat] = [139 + (i % 20) * 0.01, 35 + Math.floor(i / 20) * 0.01];
    const first = 5_000_000_000 + i * 10;
    const corners = [
      [0, 0],
      [0.001, 0],
      [0.001, 0.001],
      [0, 0.001],
    ] as const;
    corners.forEach(([dx, dy], c) => void nodes.push({ type: 'node', id: first + c, lon: lon + dx, lat: lat + dy }));
    const shop = i % 3 === 0 ? { shop: 'books', name: `店${i}` } : undefined;
    nodes.push({ type: 'node', id: first + 4, lon: lon + 0.0005, lat: lat + 0.0004, ...(shop && { tags: shop }) });
    const ring = [first, first + 1, first + 2, first + 3, first];
    const id = 900_000_000 + i * 3;
    if (i % 4 === 0) {
      ways.push({ type: 'way', id, refs: ring.slice(0, 3) }, { type: 'way', id: id + 1, refs: ring.slice(2) });
      const members = [id + 1, id].map((ref) => ({ type: 'way' as const, ref, role: 'outer' }));
      relations.push({
        type: 'relation',
        id: i + 1,
        members,
        tags: { type: 'multipolygon', building: 'yes', name: `棟${i}` },
      });
    } else if (i % 4 === 3) {
      ways.push({ type: 'way', id, refs: ring, tags: { building: 'roof', 'building:part': 'yes', height: `${i}` } });
    } else ways.push({ type: 'way', id, refs: ring, tags: { building: 'house', source: `s${i}` } });
    ways.push({
      type: 'way',
      id: id + 2,
      refs: ring.slice(0, 4).concat(first),
      tags: { 'building:part': 'yes', height: `${i + 1}` },
    });
  }
  return [...nodes, ...ways, ...relations];
}

function toXml(elements: readonly PbfElement[]): string {
  return osmXml(
    ...elements.map((element) => {
      if (element.type === 'node') return nodeXml(element.id, element.lon, element.lat, element.tags);
      if (element.type === 'way') return wayXml(element.id, element.refs, element.tags);
      return relationXml(
        element.id,
        element.members.map(({ type, ref, role }) => [type, ref, role] as const),
        element.tags ?? {},
      );
    }),
  );
}

const withoutLines = (items: Item[]) =>
  items.map((item) => JSON.stringify({ ...item, at: undefined, file: undefined })).sort();

describe('OSM PBF', () => {
  it('yields the same as XML for any blobs, budget and order', async () => {
    const elements = town(60);
    const expected = withoutLines(await readAll(osm, [fileOf('a.osm', toXml(elements), 4_096)]));
    expect(expected).toHaveLength(60);
    for (const [perBlob, budget] of [
      [8_000, 1e6],
      [7, 1e6],
      [7, 40],
      [50, 500],
    ] as const) {
      const file = fileOf('a.osm.pbf', writePbf(elements, perBlob), 997);
      expect(withoutLines(await readWithin(budget, file))).toEqual(expected);
    }
    const reversed = fileOf('a.osm.pbf', writePbf(elements.toReversed(), 9), 997);
    expect(withoutLines(await readWithin(100, reversed)).length).toBe(expected.length);
  });

  it('numbers elements from 1 in the order of the file', async () => {
    const elements = town(3);
    const places = new Map(elements.map((element, i) => [`${element.type}/${element.id}`, i + 1]));
    const items = await readWithin(10, fileOf('a.osm.pbf', writePbf(elements, 2)));
    for (const item of items) {
      if (item.kind === 'record') expect(item.at.line).toBe(places.get(item.record.sourceRecordId));
    }
  });

  it('reads plain nodes, raw blobs and zstd', async () => {
    const elements = town(2);
    const nodes = elements.filter((element): element is PbfNode => element.type === 'node');
    const rest = elements.filter((element) => element.type !== 'node');
    const expected = await readPbf(writePbf(elements));
    expect(expected.map((item) => item.kind)).toEqual(['record', 'record']);
    const zstd = (plain: Uint8Array) => ({ field: 7, bytes: zstdCompressSync(plain) });
    expect(await readPbf(writePbf(elements, 8_000, noPacking))).toEqual(expected);
    expect(await readPbf(writePbf(elements, 8_000, zstd))).toEqual(expected);
    const [header, restBlobs] = [headerBlob(), writePbf(rest).subarray(headerBlob().length)];
    expect(await readPbf(Buffer.concat([header, plainNodesBlob(nodes), restBlobs]))).toEqual(expected);
  });

  it('skips blobs of another type', async () => {
    const whole = writePbf(town(1));
    const header = headerBlob();
    const other = blob('Index', Buffer.from('anything'));
    expect(await readPbf(Buffer.concat([header, other, whole.subarray(header.length)]))).toEqual(await readPbf(whole));
  });

  it('reads the same from blobs with zlib, zstd, LZ4 or no compression', async () => {
    const expected = await readPbf(writePbf(town(30)));
    for (const packing of [zstdPacking, lz4Packing, noPacking]) {
      expect(await readPbf(writePbf(town(30), 25, packing))).toEqual(expected);
    }
  });

  it('takes node positions from ways that have them, with and without the nodes', async () => {
    const elements = town(30);
    const places = new Map(
      elements.flatMap((each) => (each.type === 'node' ? [[each.id, [each.lon, each.lat] as const]] : [])),
    );
    const drawn = elements.map((each) =>
      each.type === 'way'
        ? { ...each, places: each.refs.map((ref) => places.get(ref) ?? ([214, 214] as const)) }
        : each,
    );
    const tagged = drawn.filter((each) => each.type !== 'node' || each.tags !== undefined);
    const expected = withoutLines(await readPbf(writePbf(elements)));
    expect(expected).toHaveLength(30);
    for (const some of [drawn, tagged, drawn.filter(({ type }) => type === 'way').concat(tagged)]) {
      const file = fileOf('a.osm.pbf', writePbf(some, 7));
      for (const budget of [40, 1_000_000]) {
        expect([...new Set(withoutLines(await readWithin(budget, file)))]).toEqual(expected);
      }
    }
  });

  it('counts a building as cut if a way lacks the position of a node', async () => {
    const ring = [1, 2, 3, 4, 1];
    const corners = [
      [139, 35],
      [139.001, 35],
      [214.7, 214.7],
      [139, 35.001],
      [139, 35],
    ] as const;
    const way = { type: 'way', id: 1, refs: ring, places: corners, tags: { building: 'yes' } } as const;
    const items = await readPbf(writePbf([way]));
    expect(items.map(({ kind }) => kind)).toEqual(['detail', 'remark']);
  });

  it('opens the file again for each pass, and closes each', async () => {
    const bytes = writePbf(town(20), 10);
    let [opened, closed] = [0, 0];
    const file: SourceFile = {
      name: 'a.osm.pbf',
      size: bytes.length,
      async *bytes() {
        opened += 1;
        try {
          for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
        } finally {
          closed += 1;
        }
      },
    };
    await readWithin(100, file);
    expect(opened).toBeGreaterThan(3);
    expect(closed).toBe(opened);
  });

  const data = (plain: Uint8Array) => Buffer.concat([headerBlob(), blob('OSMData', plain)]);
  const lie = (field: number, rawSize?: number) =>
    Buffer.concat([
      headerBlob(),
      waysBlob([{ id: 1, refs: [] }], (plain) => ({ field, bytes: plain, ...(rawSize && { rawSize }) })),
    ]);
  const size = (bytes: number) => Buffer.from([bytes >> 24, bytes >> 16, bytes >> 8, bytes].map((b) => b & 255));

  it.each([
    ['an empty file', Buffer.alloc(0), /empty/],
    ['another file', Buffer.from('<osm version="0.6"></osm>'), /not an OSM PBF/],
    ['a header block of 70,000 bytes', size(70_000), /not an OSM PBF/],
    ['data before the header', writePbf(town(1)).subarray(headerBlob().length), /no header at the beginning/],
    ['a history', Buffer.concat([headerBlob(['OsmSchema-V0.6', 'HistoricalInformation'])]), /history/],
    ['an unknown feature', headerBlob(['OsmSchema-V0.6', 'Teleport\u202e']), /required feature: Teleport\\u\{202e\}/],
    ['LZMA', lie(4), /LZMA/],
    ['bzip2', lie(5), /bzip2/],
    ['LZ4 that is none', lie(6), /cannot be unpacked/],
    ['LZ4 of another size', lie(6, 7), /cannot be unpacked/],
    ['zlib that is none', lie(3), /cannot be unpacked/],
    ['zstd that is none', lie(7), /cannot be unpacked/],
    ['a blob with a stated size of 40 MB', lie(3, 40 << 20), /larger than/],
    ['rubbish', data(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])), /damaged/],
    ['a message longer than its block', data(Buffer.from([0x12, 0x7f, 0x00])), /damaged/],
    [
      'a way with a string that is not there',
      data(Buffer.from([0x12, 0x06, 0x1a, 0x04, 0x08, 0x01, 0x12, 0x00, 0x0a, 0x00])),
      undefined,
    ],
    [
      'a key that is not there',
      data(
        Buffer.from([0x0a, 0x04, 0x0a, 0x00, 0x0a, 0x00, 0x12, 0x08, 0x22, 0x06, 0x08, 0x01, 0x12, 0x01, 0x63, 0x00]),
      ),
      /damaged/,
    ],
  ])('reports why it cannot read %s', async (_, content, reason) => {
    const items = await readPbf(content);
    if (reason === undefined) expect(items).toEqual([]);
    else expect(items).toEqual([{ kind: 'broken', file: 'a.osm.pbf', reason: expect.stringMatching(reason) }]);
  });

  it('reports a blob that is larger than stated', async () => {
    const bomb = Buffer.concat([
      headerBlob(),
      nodesBlob([1], [139], [35], undefined, (plain) => ({
        field: 7,
        bytes: zstdCompressSync(Buffer.alloc(1 << 22)),
        rawSize: plain.length,
      })),
    ]);
    expect(await readPbf(bomb)).toEqual([expect.objectContaining({ kind: 'broken' })]);
  });

  it('yields the complete buildings of a cut or damaged file, then a broken item, and never throws', async () => {
    const bytes = writePbf(town(6), 5);
    const known = new Set(
      (await readPbf(bytes)).flatMap((item) => (item.kind === 'record' ? [item.record.sourceRecordId] : [])),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), fc.boolean(), async (at, flip) => {
        const bad = flip ? Buffer.from(bytes) : bytes.subarray(0, at);
        if (flip) bad[at] = (bad[at] as number) ^ 0x55;
        const items = await readPbf(bad, 100);
        if (!flip) {
          expect(items.filter((item) => item.kind === 'rejected')).toEqual([]);
          for (const item of items) if (item.kind === 'record') expect(known).toContain(item.record.sourceRecordId);
        }
        expect(items.filter((item) => item.kind === 'broken').length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 80 },
    );
  });

  it('reads plain blocks of any bytes without throwing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const content = Buffer.concat([headerBlob(), blob('OSMData', bytes, noPacking)]);
        for (const item of await readPbf(content)) expect(item.kind).toBe('broken');
      }),
      { numRuns: 150 },
    );
  });
});
