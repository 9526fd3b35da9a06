import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';
import { listening } from '../support/wire.ts';

const require = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));
const OAZAPFTS = join(dirname(require.resolve('oazapfts')), 'cli.js');
const TSC = join(folderOf('typescript'), 'bin', 'tsc');

/** A program that can be written from the document alone. */
const PROGRAM = `
import { defaults, getAsset, getAssetSources, getWard, searchAssets, type ApiProblem, type BuildingPage } from './client.ts';

const [origin, known, unknown] = process.argv.slice(2) as [string, string, string];
defaults.baseUrl = origin;

const found = await getAsset(known);
// A summary has no counters.
if (found.status !== 200 || !('counters' in found.data)) throw new Error(String(found.status));
const building: BuildingPage = found.data;
const height: number | undefined = building.fields.heightM?.value;
const disagrees: string | undefined = building.fields.heightM?.conflict?.source;

const sources = await getAssetSources(known);
const won: string[] = sources.status === 200 ? sources.data.flatMap(({ fields }) => fields) : [];

const search = await searchAssets({ q: 'building one', $type: 'office', page: 1 });
const hits: string[] = search.status === 200 ? search.data.items.map(({ id }) => id) : [];

const ward = await getWard('tokyo', 'chiyoda-ku');
const level: string | undefined = ward.status === 200 ? ward.data.area.level : undefined;

const missed = await getAsset(unknown);
const problem: ApiProblem | undefined = missed.status === 404 ? missed.data : undefined;

console.log(JSON.stringify({ id: building.id, height, disagrees, won: won.includes('heightM'), hits, level, title: problem?.title }));
`;

const WRONG = `
import type { BuildingPage, Fields } from './client.ts';

export const misspelt = (building: BuildingPage) => building.fields.heigthM;
export const mistaken = (fields: Fields): string | undefined => fields.heightM?.value;
`;

const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom'], types: ['node'] },
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true },
  },
  include: ['*.ts'],
};

let dir: string;
let small: SmallRegistry;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tatemono-client-'));
  symlinkSync(dirname(folderOf('typescript')), join(dir, 'node_modules'), 'junction');
  small = await openSmallRegistry({ engine: 'sqlite', dir, url: `file:${join(dir, 'registry.db')}` });
});
afterAll(async () => {
  await small.close();
  rmSync(dir, { recursive: true, force: true });
});

it('API-09 a typed client generated from the document compiles, rejects mistakes and works', async () => {
  await listening(small.app, async (port) => {
    const origin = `http://127.0.0.1:${port}`;
    const document = await fetch(`${origin}${API_ROOT}/openapi.json`);
    const files = { 'openapi.json': await document.text(), 'program.ts': PROGRAM, 'wrong.ts': WRONG };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ type: 'module' }));

    expect(await run(OAZAPFTS, 'openapi.json', 'client.ts')).toMatchObject({ code: 0 });

    const { code, out } = await run(TSC, '--pretty', 'false');
    const faults = out.split('\n').filter((line) => /^\S.*error/.test(line));
    expect(code).not.toBe(0);
    expect(faults).toEqual([
      expect.stringMatching(/^wrong\.ts\(4,.*'heigthM' does not exist/),
      expect.stringMatching(/^wrong\.ts\(5,.*'number \| undefined' is not assignable to type 'string \| undefined'/),
    ]);

    const answer = await run('program.ts', origin, SMALL.full, SMALL.unknown);
    expect(answer, answer.out).toMatchObject({ code: 0 });
    const found = { id: SMALL.full, height: 50, disagrees: 'wikidata', won: true };
    const expected = { ...found, hits: [SMALL.full], level: 'ward', title: 'Not Found' };
    expect(JSON.parse(answer.out)).toEqual(expected);
  });
});

/** Runs a script in the folder of the client without blocking the server. */
function run(script: string, ...args: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: dir, timeout: 30_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out: `${stdout}${stderr}` });
    });
  });
}
