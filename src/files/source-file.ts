/** A file of a source, on disk or inside a zip. */
export interface SourceFile {
  /** Its path as the operator wrote it; inside a zip `city.zip/udx/bldg/53394611.gml`. */
  readonly name: string;
  readonly size: number;
  /** Its bytes from the start; may be called several times. */
  bytes(): AsyncIterable<Buffer>;
}
