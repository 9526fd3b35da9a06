#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=262144 node --max-semi-space-size=8 --heap-growing-percent=70
// These settings keep the memory of a large ingest small: several threads create many short-lived objects and buffers.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '262144' };

/**
 * The C library reads its settings when a process starts, and `npm start` cannot set them on every system. On Linux the service
 * starts again with them, as the same process: its threads then leave a fifth less memory unused.
 */
function startWithMalloc() {
  const { argv, env, execArgv, execPath, platform, channel } = process;
  const isSet = Object.keys(MALLOC).some((name) => env[name] !== undefined);
  if (platform !== 'linux' || argv[2] !== 'serve' || isSet || channel || process.execve === undefined) return;
  const { emitWarning } = process;
  // It is new in Node, which warns about that.
  process.emitWarning = () => {};
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...MALLOC });
  process.emitWarning = emitWarning;
}

startWithMalloc();

const pathTo = (file) => fileURLToPath(new URL(file, import.meta.url));
const source = pathTo('../src/main.ts');

// The published package has the code without types, because Node does not strip them below node_modules.
await runOnPinnedNode(existsSync(source) ? source : pathTo('../dist/main.js'), process.argv.slice(2));
