#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=262144 node --max-semi-space-size=8 --heap-growing-percent=70
// These settings keep the memory of a large ingest small: several threads create many short-lived objects and buffers.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

const pathTo = (file) => fileURLToPath(new URL(file, import.meta.url));
const source = pathTo('../src/main.ts');

// The published package has the code without types, because Node does not strip them below node_modules.
await runOnPinnedNode(existsSync(source) ? source : pathTo('../dist/main.js'), process.argv.slice(2));
