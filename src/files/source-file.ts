/** A file of a source, wherever it lies: on disk or inside a zip. */
export interface SourceFile {
  /** As the operator knows it: its path below what was named, `city.zip/udx/bldg/53394611.gml` inside a zip. */
  readonly name: string;
  readonly size: number;
  /** Its bytes from the start; may be asked for several times. */
  bytes(): AsyncIterable<Buffer>;
}
