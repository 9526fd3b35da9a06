import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../src/config.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { type Finished, runHere } from './command.ts';
import { type Block, ROOT } from './documents.ts';
import { fillOnce, openContext } from './engines.ts';
import { rawZip } from './raw-zip.ts';
import { fillSample } from './served-sample.ts';
import { serverOn } from './serving.ts';

/**
 * Runs the command blocks of a document in one shell, in a folder that looks like a clone after its first `npm start`.
 * The shell and curl are real. `npx tatemono` runs in this process, `npm start` serves in this process on a free port, and
 * other commands of npm are only compared with package.json, because a test is itself one of them.
 */

/** What a block printed. */
export interface Ran {
  block: Block;
  stdout: string;
}

interface Command {
  name: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** Comments that say why the block below is not run here: a reason, or the test that runs it. */
export const isRun = ({ language, notes }: Block): boolean =>
  language === 'sh' && notes['not run'] === undefined && notes['run by'] === undefined;

const DONE: Finished = { code: 0, stdout: '', stderr: '' };
const refusal = (reason: string): Finished => ({ code: 127, stdout: '', stderr: `${reason}\n` });
/** These end only when they are told to. */
const ENDLESS = new Set(['serve', 'work']);

/** How documents name the database of another machine. */
export const POSTGRES = 'postgres://user:password@host:5432/tatemono';

/** Runs it in `dir`, with an empty database for the one of another machine if it names that. */
export async function runDocument(blocks: readonly Block[], dir: string, postgresUrl = POSTGRES): Promise<Ran[]> {
  const place = join(dir, 'place');
  const [output, bin, backups] = [join(dir, 'output'), join(dir, 'bin'), join(dir, 'backups')];
  for (const folder of [join(place, 'data'), output, bin, backups]) mkdirSync(folder, { recursive: true });
  symlinkSync(join(ROOT, 'sample'), join(place, 'sample'));
  await fillOnce('sample', databaseAt(place, 'file:data/registry.db'), fillSample);
  for (const { text, notes } of blocks) {
    if (notes.file !== undefined) writeFileSync(join(place, notes.file), `${text}\n`);
    for (const [name, path] of standIns(notes)) provide(join(place, name), join(ROOT, path));
  }
  const service = await openService(place);
  try {
    writeCommands(bin, service.origin);
    const run = blocks.filter(isRun);
    const script = [
      'set -eu',
      ...run.flatMap(({ text }, i) => [`exec >'${output}/${i}.out' 2>'${output}/${i}.err'`, text]),
    ]
      .join('\n')
      .replaceAll('127.0.0.1:3000', new URL(service.origin).host)
      .replaceAll(POSTGRES, postgresUrl)
      .replaceAll(' /backups', ` ${backups}`);
    const code = await shell(place, bin, script);
    const read = (name: string) => (existsSync(join(output, name)) ? readFileSync(join(output, name), 'utf8') : '');
    if (code !== 0) {
      const last = readdirSync(output).length / 2 - 1;
      throw new Error(`${run[last]?.at}: exit code ${code}\n${read(`${last}.out`)}${read(`${last}.err`)}`);
    }
    return run.map((block, i) => ({ block, stdout: read(`${i}.out`) }));
  } finally {
    await service.close();
  }
}

const databaseAt = (place: string, url: string) => {
  const file = join(place, url.slice('file:'.length));
  return { engine: 'sqlite' as const, url: `file:${file}`, dir: dirname(file) };
};

/** `<!-- given: map.osm = sample/osm/tokyo.osm, items = sample/wikidata -->`: files that a reader has, and what stands for them. */
function standIns({ given = '' }: Block['notes']): [name: string, path: string][] {
  return given
    .split(', ')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split(' = ') as [string, string]);
}

function provide(to: string, from: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!to.endsWith('.zip')) {
    cpSync(from, to, { recursive: true });
    return;
  }
  const names = statSync(from).isDirectory() ? readdirSync(from, { recursive: true, encoding: 'utf8' }) : [''];
  const files = names.map((name) => join(from, name)).filter((path) => statSync(path).isFile());
  writeFileSync(
    to,
    rawZip(files.map((path) => ({ name: path.slice(dirname(from).length + 1), content: readFileSync(path) }))),
  );
}

interface Service {
  origin: string;
  close(): Promise<void>;
}

/** Answers requests from the database of the last `npm start`, and runs the commands that the shell sends. */
async function openService(place: string): Promise<Service> {
  let app: Promise<{ app: FastifyInstance; close(): Promise<void> }> | undefined;
  let url = 'file:data/registry.db';
  const open = async (database: ReturnType<typeof databaseAt>) => {
    const { storage } = await openContext(database);
    const app = serverOn(openRegistry(storage), undefined, { reit: openReit(storage) });
    await app.ready();
    const close = async () => {
      await app.close();
      await storage.close();
    };
    return { app, close };
  };
  const stop = async () => {
    await (await app)?.close();
    app = undefined;
  };
  const start = async (env: Record<string, string>): Promise<Finished> => {
    await stop();
    url = readConfig(env).databaseUrl;
    return DONE;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/command') {
      const finished = await runSent((await json(request)) as Command, start).catch((error) => refusal(String(error)));
      response.end(JSON.stringify(finished));
      return;
    }
    app ??= open(databaseAt(place, url));
    (await app).app.routing(request, response);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    },
  };
}

async function runSent(
  { name, args, cwd, env }: Command,
  start: (env: Record<string, string>) => Promise<Finished>,
): Promise<Finished> {
  if (name === 'npm') {
    const [verb = '', script = verb] = args.filter((arg) => arg !== 'run');
    if (verb === 'ci') return DONE;
    if (scripts()[verb] === undefined) return refusal(`package.json has no script ${script}`);
    return verb === 'start' ? start(env) : DONE;
  }
  const [program = '', command = '', ...rest] = name === 'npx' ? args : [name, ...args];
  if (program !== 'tatemono')
    return refusal(`npx ${program} is not run by tests; say why in a comment above the block`);
  if (ENDLESS.has(command)) return refusal(`${command} does not end by itself; say so in a comment above the block`);
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await runHere(env, command, ...rest);
  } finally {
    process.chdir(before);
  }
}

function scripts(): Record<string, string> {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;
}

const SEND = fileURLToPath(new URL('./send-command.js', import.meta.url));

function writeCommands(bin: string, origin: string): void {
  const write = (name: string, line: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  for (const name of ['npx', 'npm', 'tatemono']) {
    write(name, `exec '${process.execPath}' '${SEND}' '${origin}' ${name} "$@"`);
  }
  if (CURL !== undefined) write('curl', `exec '${join(CURL, 'curl')}' --silent --show-error --fail "$@"`);
}

/** The folder of curl; undefined if it is not installed. */
const CURL = (process.env.PATH ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'curl')));

/** Whether everything that the commands need is on this machine. */
export const canRun = (blocks: readonly Block[]): boolean =>
  CURL !== undefined || !blocks.some((block) => isRun(block) && /\bcurl\b/.test(block.text));

function shell(cwd: string, bin: string, script: string): Promise<number | null> {
  const env = { PATH: [bin, process.env.PATH].join(delimiter), HOME: cwd };
  const child = spawn('sh', ['-c', script], { cwd, env, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
