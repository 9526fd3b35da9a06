#!/usr/bin/env -S node --max-semi-space-size=16
// The flag keeps the memory of a large ingest small: what it makes is short-lived.
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

await runOnPinnedNode(fileURLToPath(new URL('../src/main.ts', import.meta.url)), process.argv.slice(2));
