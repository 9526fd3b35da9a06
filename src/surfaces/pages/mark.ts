import { crc32, deflateSync } from 'node:zlib';

/** The mark of the registry: stepped towers on indigo, on a grid on which half the size still falls on whole pixels. */
const SIZE = 32;
const GROUND = '#4054b8';
const CORNER = 7;

type Block = readonly [x: number, y: number, width: number, height: number, colour: string];
const BLOCKS: readonly Block[] = [
  [4, 16, 8, 10, '#c3ccff'],
  [12, 6, 8, 20, '#ffffff'],
  [20, 12, 8, 14, '#9fb0ff'],
  [14, 10, 4, 2, GROUND],
  [14, 14, 4, 2, GROUND],
  [14, 18, 4, 2, GROUND],
  [14, 22, 4, 4, GROUND],
];

export function drawSvg(): string {
  const blocks = BLOCKS.map(
    ([x, y, width, height, colour]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" shape-rendering="crispEdges">`,
    '<title>Tatemono</title>',
    `<rect width="${SIZE}" height="${SIZE}" rx="${CORNER}" fill="${GROUND}" shape-rendering="auto"/>`,
    ...blocks,
    '</svg>\n',
  ].join('\n');
}

/** An icon with one picture in it, which may be a PNG. */
export function drawIco(): Buffer {
  const png = drawPng();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(SIZE, 6);
  head.writeUInt8(SIZE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function drawPng(): Buffer {
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0,
    ...Array.from({ length: SIZE }, (_, x) => pixel(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits for each of red, green, blue and opacity.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function pixel(x: number, y: number): number[] {
  const block = BLOCKS.findLast(([left, top, width, height]) => {
    return x >= left && x < left + width && y >= top && y < top + height;
  });
  const colour = block?.[4] ?? GROUND;
  return [...Buffer.from(colour.slice(1), 'hex'), Math.round(255 * insideCorner(x, y))];
}

/** How much of a pixel is inside the rounded corner that it is next to. */
function insideCorner(x: number, y: number): number {
  const toEdge = (at: number) => CORNER - Math.min(at + 0.5, SIZE - at - 0.5);
  const [dx, dy] = [toEdge(x), toEdge(y)];
  if (dx <= 0 || dy <= 0) return 1;
  return Math.min(1, Math.max(0, CORNER - Math.hypot(dx, dy) + 0.5));
}
