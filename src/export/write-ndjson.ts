import type { BuildingWriter } from './format.ts';
import type { OutputFile } from './output-file.ts';

const LINE = Buffer.from('\n');

/** The records as the API sends them, one a line. */
export function writeNdjson(file: OutputFile): BuildingWriter {
  return {
    add({ body }) {
      file.write(body);
      file.write(LINE);
    },
    end() {},
  };
}
