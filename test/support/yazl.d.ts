/** What the tests use of it; it comes without types. */
declare module 'yazl' {
  export class ZipFile {
    addBuffer(content: Buffer, path: string): void;
    end(): void;
    readonly outputStream: AsyncIterable<Buffer>;
  }
}
