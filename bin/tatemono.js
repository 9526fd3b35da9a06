#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './pinned-node.js';

await runOnPinnedNode(fileURLToPath(new URL('../src/main.ts', import.meta.url)), process.argv.slice(2));
