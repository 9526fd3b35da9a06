/** node bench/parse-source.ts <osm|plateau> <path>: only parses a source into records, and prints the time. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { osm } from '../src/sources/osm/adapter.ts';
import { plateau } from '../src/sources/plateau/adapter.ts';
import { filesOnDisk } from '../test/support/source-files.ts';

const [source, path] = process.argv.slice(2) as [string, string];
const adapter = source === 'osm' ? osm : plateau;
const files = statSync(path).isDirectory()
  ? readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .filter((name) => adapter.reads(name) && statSync(name).isFile())
      .sort()
  : [path];
let records = 0;
const started = performance.now();
for await (const items of adapter.read(filesOnDisk(...files), {
  retrievedAt: '2026-01-01T00:00:00Z',
  url: undefined,
})) {
  for (const item of items) if (item.kind === 'record') records += 1;
}
console.log(JSON.stringify({ records, seconds: (performance.now() - started) / 1000 }));
