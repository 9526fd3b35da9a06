/**
 * node bin/run.js eval/matching/draw.ts [<data folder> [<clone of citygml-osm>]]
 *
 * Draws every disputed pair of labels.csv into pictures/: those labelled `either`, and those with a reason.
 */
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { SourceFile } from '../../src/files/source-file.ts';
import type { Adapter } from '../../src/sources/adapter.ts';
import { osm } from '../../src/sources/osm/adapter.ts';
import { plateau } from '../../src/sources/plateau/adapter.ts';
import { type AreaGeometry, boxOf, type Geometry, metresPerDegree, polygonsOf } from '../../src/vocabulary/geometry.ts';
import { readConverted } from './converted-plateau.ts';
import type { Label } from './score.ts';
import { SETS } from './sets.ts';

const FOLDERS = { data: process.argv[2] ?? '../shared/data', 'citygml-osm': process.argv[3] ?? '../citygml-osm' };
const HERE = import.meta.dirname;
const USUAL: readonly string[] = ['one outline over the other', 'beside it'];
const LONGER_SIDE_PX = 360;
const MARGIN_M = 2;

type Outlines = Map<string, AreaGeometry>;

const labels: Label[] = parse(readFileSync(join(HERE, 'labels.csv')), { columns: true });
for (const set of SETS) {
  const pathOf = (file: string) => join(FOLDERS[set.folder], file);
  const blue: Outlines =
    set.folder === 'data' ? await outlinesIn(plateau, [pathOf(set.plateau)]) : await convertedIn(pathOf(set.plateau));
  const red = await outlinesIn(osm, set.osm.map(pathOf));
  for (const label of labels) {
    if (label.set !== set.name || USUAL.includes(label.why)) continue;
    const shapes = [blue.get(label.plateau), red.get(label.osm)] as [AreaGeometry, AreaGeometry];
    const name = `${set.name}-${label.osm}-${label.plateau}`.replaceAll('/', '-');
    writeFileSync(join(HERE, 'pictures', `${name}.svg`), draw(label, shapes));
  }
}

function keep(outlines: Outlines, id: string, geometry: Geometry | null): void {
  if (geometry !== null && geometry.type !== 'Point') outlines.set(id, geometry);
}

async function outlinesIn(adapter: Adapter, paths: readonly string[]): Promise<Outlines> {
  const files = paths.map((path): SourceFile => {
    return { name: path, size: statSync(path).size, bytes: () => createReadStream(path) };
  });
  const outlines: Outlines = new Map();
  for await (const items of adapter.read(files, { retrievedAt: '2022-01-01T00:00:00Z', url: undefined })) {
    for (const item of items) {
      if (item.kind === 'record') keep(outlines, item.record.sourceRecordId, item.record.geometry);
    }
  }
  return outlines;
}

async function convertedIn(path: string): Promise<Outlines> {
  const outlines: Outlines = new Map();
  for (const line of await readConverted(path)) {
    const { sourceRecordId, geometry } = line as { sourceRecordId: string; geometry: Geometry };
    keep(outlines, sourceRecordId, geometry);
  }
  return outlines;
}

function draw({ set, plateau, osm, label, why }: Label, shapes: [AreaGeometry, AreaGeometry]): string {
  const boxes = shapes.map(boxOf);
  const [west, north] = [Math.min(...boxes.map((box) => box[0])), Math.max(...boxes.map((box) => box[3]))];
  const [east, south] = [Math.max(...boxes.map((box) => box[2])), Math.min(...boxes.map((box) => box[1]))];
  const scale = metresPerDegree(south);
  const [width, height] = [(east - west) * scale.lon, (north - south) * scale.lat];
  const pixels = LONGER_SIDE_PX / Math.max(width, height);
  const [fullWidth, fullHeight] = [width + 2 * MARGIN_M, height + 2 * MARGIN_M];
  const path = (geometry: AreaGeometry, colour: string) => {
    const corners = polygonsOf(geometry)
      .flat()
      .map((ring) =>
        ring
          .slice(0, -1)
          .map(([lon, lat]) => `${((lon - west) * scale.lon).toFixed(1)},${((north - lat) * scale.lat).toFixed(1)}`),
      );
    const d = corners.map((ring) => `M${ring.join('L')}Z`).join('');
    return `<path fill="${colour}" fill-opacity=".3" stroke="${colour}" stroke-width=".2" d="${d}"/>`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-${MARGIN_M} -${MARGIN_M} ${fullWidth.toFixed(1)} ${fullHeight.toFixed(1)}" ` +
      `width="${Math.round(fullWidth * pixels)}" height="${Math.round(fullHeight * pixels)}">`,
    `<title>${set}: plateau ${plateau} (blue) and osm ${osm} (red), in metres: ${label}, ${why}</title>`,
    path(shapes[0], '#06c'),
    path(shapes[1], '#c00'),
    '</svg>',
    '',
  ].join('\n');
}
