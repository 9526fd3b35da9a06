import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, type KeyValue, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { OutputFile } from './output-file.ts';

const LEVEL = 6;
const compressors = {
  ZSTD: (input: Uint8Array) =>
    new Uint8Array(zstdCompressSync(input, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })),
};

export const textColumn = (name: string): SchemaElement => ({
  ...{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
});

/** A Parquet file that is written by row groups, compressed with zstd. */
export class ParquetFile {
  readonly #file: OutputFile;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #names: readonly string[];
  readonly #columns: unknown[][];
  readonly #rowsPerGroup: number;

  /** `elements` are the columns, each followed by its members. */
  constructor(file: OutputFile, elements: readonly SchemaElement[], names: readonly string[], rowsPerGroup: number) {
    this.#file = file;
    this.#names = names;
    this.#columns = names.map(() => []);
    this.#rowsPerGroup = rowsPerGroup;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: names.length }, ...elements],
      codec: 'ZSTD',
      compressors,
    });
  }

  /** One value for each column; null if it has none. */
  add(values: readonly unknown[]): void {
    for (const [i, value] of values.entries()) this.#columns[i]?.push(value);
    if (this.#columns[0]?.length === this.#rowsPerGroup) this.#writeGroup();
  }

  end(metadata: KeyValue[] = []): void {
    this.#writeGroup();
    this.#writer.kvMetadata = metadata;
    void this.#writer.finish();
    this.#flush();
  }

  #writeGroup(): void {
    if (this.#columns[0]?.length === 0) return;
    const columnData = this.#columns.map((data, i) => ({ name: this.#names[i] as string, data }));
    void this.#writer.write({ columnData, rowGroupSize: this.#rowsPerGroup });
    for (const column of this.#columns) column.length = 0;
    this.#flush();
  }

  #flush(): void {
    this.#file.write(new Uint8Array(this.#bytes.buffer.slice(0, this.#bytes.index)));
    this.#bytes.index = 0;
  }
}
