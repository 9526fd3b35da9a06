/** Archives that are not read, by the end of their names; a large download may come in numbered volumes. */
const ARCHIVES: readonly [ending: RegExp, what: string][] = [
  [/\.7z(?:\.\d{3})?$/i, 'a 7-Zip archive'],
  [/\.rar$/i, 'a RAR archive'],
  [/\.lzh$/i, 'an LZH archive'],
  [/\.(?:tar(?:\.(?:gz|bz2|xz|zst))?|tgz|tbz2?|txz)$/i, 'a tar archive'],
  [/\.xz$/i, 'an xz file'],
];

/** What a file is by its name, where that is an archive which cannot be read. */
export function unsupportedArchive(name: string): string | undefined {
  return ARCHIVES.find(([ending]) => ending.test(name))?.[1];
}

export const unsupported = (what: string): string => `${what}, which is not supported: unpack it first`;
