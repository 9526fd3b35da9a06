/** The parts that the tests use; the package has no types. */
declare module 'yazl' {
  export class ZipFile {
    addBuffer(content: Buffer, path: string): void;
    end(): void;
    readonly outputStream: AsyncIterable<Buffer>;
  }
}
