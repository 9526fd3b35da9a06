/**
 * npm run eval:agents
 *
 * Analysts' questions in Japanese and English, answered by calls of the MCP tools on the bundled sample through the SDK's
 * client, each within 10,000 tokens of results.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startRegistry } from '../../bench/processes.ts';
import { askQuestion, MAX_TOKENS } from './ask.ts';
import { QUESTIONS } from './questions.ts';

const dir = mkdtempSync(join(tmpdir(), 'tatemono-agents-'));
const registry = await startRegistry({
  ...process.env,
  ...{ DATABASE_URL: `file:${join(dir, 'registry.db')}`, ARCHIVE_DIR: join(dir, 'archive'), LOG_LEVEL: 'warn' },
  ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_MCP: '0' },
});
const client = new Client({ name: 'eval', version: '1' }, { versionNegotiation: { mode: 'auto' } });
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(`${registry.origin}/japan/mcp`)));
  await client.listTools();
  let answered = 0;
  let most = 0;
  for (const question of QUESTIONS) {
    const { asks, tokens, faults } = await askQuestion(client, question);
    if (faults.length === 0) answered += 1;
    most = Math.max(most, tokens);
    console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${String(tokens).padStart(6)} tokens  ${asks}`);
    for (const fault of faults) console.log(`       ${fault}`);
  }
  console.log(`${answered} of ${QUESTIONS.length}; at most ${most} of ${MAX_TOKENS} tokens a question`);
  process.exitCode = answered === QUESTIONS.length ? 0 : 1;
} finally {
  await client.close();
  await registry.stop();
  rmSync(dir, { recursive: true, force: true });
}
