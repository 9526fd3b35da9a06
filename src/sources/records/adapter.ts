import { BrokenFile, untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { linesOf, splitPortions } from '../../files/split-lines.ts';
import type { Adapter, AreaItem, Item } from '../adapter.ts';
import { readLine } from './read-line.ts';

/** The record format (docs/reference/record-format.md): one area, record or merge per line. */
export const records: Adapter = {
  source: 'records',
  expected: '.ndjson in the record format',
  reads: (name) => /\.ndjson$/i.test(name),
  readsNamed: () => true,
  plainFiles: true,
  oneByOne: true,
  keepsLines: true,
  async *readAreas(files) {
    for (const file of files) yield* readAreas(file);
  },
  async *read(files) {
    for (const file of files) yield* untilBroken(file.name, readPortions(file));
  },
};

async function* readPortions(file: SourceFile): AsyncGenerator<Item[]> {
  for await (const portion of splitPortions(file.bytes())) yield [{ kind: 'lines', file: file.name, portion }];
}

/** Invalid lines are left to `read`, which reports them; so is the fault of a file that breaks. */
async function* readAreas(file: SourceFile): AsyncGenerator<AreaItem[]> {
  try {
    for await (const portion of splitPortions(file.bytes())) {
      if (!mayHaveArea(portion.bytes)) continue;
      const items = linesOf(portion).flatMap((line): AreaItem[] => {
        if (line.bytes === undefined || !mayHaveArea(line.bytes)) return [];
        const read = readLine(line);
        if (!read.ok || read.value.kind !== 'area') return [];
        const { kind, notes: _, ...area } = read.value;
        return [
          { kind, at: { file: file.name, line: line.number }, area: { ...area, fallbackSlug: area.slug, point: null } },
        ];
      });
      if (items.length > 0) yield items;
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
  }
}

/** Every area line has this key, plainly or with escapes, and hardly any other line does. */
const AREA_MARKS = ['"slug"', '\\u00'];

function mayHaveArea(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return AREA_MARKS.some((mark) => buffer.includes(mark));
}
