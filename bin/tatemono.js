#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
// The settings keep the memory of a large ingest small: what it makes is short-lived, and made by several threads.
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

await runOnPinnedNode(fileURLToPath(new URL('../src/main.ts', import.meta.url)), process.argv.slice(2));
