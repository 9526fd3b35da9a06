/** The part that the tests use; the package has no types. */
declare module 'jsonld' {
  interface Options {
    documentLoader: (url: string) => Promise<{ contextUrl: null; documentUrl: string; document: object }>;
    /** Whether to refuse what would otherwise be dropped. */
    safe: boolean;
  }
  const jsonld: { expand(document: object, options: Options): Promise<Record<string, unknown>[]> };
  export default jsonld;
}
