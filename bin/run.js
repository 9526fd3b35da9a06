// node bin/run.js <script> [arguments]: runs a script on the pinned Node.
import { resolve } from 'node:path';
import process from 'node:process';
import { runOnPinnedNode } from './pinned-node.js';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('usage: node bin/run.js <script> [arguments]');
  process.exit(2);
}
await runOnPinnedNode(resolve(script), args);
