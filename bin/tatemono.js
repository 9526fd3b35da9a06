#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=262144 node --max-semi-space-size=8 --heap-growing-percent=70
// These settings keep the memory of a large ingest small: several threads create many short-lived objects and buffers.
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

await runOnPinnedNode(fileURLToPath(new URL('../src/main.ts', import.meta.url)), process.argv.slice(2));
