import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../src/files/source-file.ts';
import { unpacked } from '../../src/files/unpack.ts';
import type { Adapter, Item, Reading } from '../../src/sources/adapter.ts';

/** A file in memory, read in small chunks to test every boundary. */
export function fileOf(name: string, content: string | Uint8Array, chunk = 61): SourceFile {
  const bytes = Buffer.from(content as Uint8Array);
  return {
    name,
    size: bytes.length,
    async *bytes() {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    },
  };
}

/** Files on disk. */
export function filesOnDisk(...paths: string[]): SourceFile[] {
  return paths.map((path) => ({
    name: path,
    size: statSync(path).size,
    bytes: () => createReadStream(path) as AsyncIterable<Buffer>,
  }));
}

/** Real files of the sources, if present; tests that use them are skipped otherwise. */
export const REAL_DATA = process.env.REAL_DATA ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data');
export const hasRealData = existsSync(REAL_DATA);

export function realFiles(folder: string, matches: (name: string) => boolean = () => true): SourceFile[] {
  const root = join(REAL_DATA, folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(matches).sort();
  return filesOnDisk(...names.map((name) => join(root, name)).filter((path) => statSync(path).isFile()));
}

export const READING: Reading = { retrievedAt: '2026-08-01T00:00:00Z', url: undefined };

/** The same input that the pipeline passes to an adapter. */
export async function readAll(
  adapter: Adapter,
  files: readonly SourceFile[],
  reading: Reading = READING,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const some of adapter.read(files.map(unpacked), reading)) items.push(...some);
  return items;
}
