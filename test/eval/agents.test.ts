import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { askQuestion } from '../../eval/agents/ask.ts';
import { QUESTIONS } from '../../eval/agents/questions.ts';
import { onBothEngines } from '../support/engines.ts';
import { openServedSample } from '../support/served-sample.ts';

/** All of them run with `npm run eval:agents`. */
const EVERY = 3;

onBothEngines("analysts' questions", (fresh) => {
  it('AGT-04 are answered by calls of the tools within 10,000 tokens each', async () => {
    expect(QUESTIONS).toHaveLength(30);
    const served = await openServedSample(await fresh());
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.origin}/japan/mcp`)));
    for (const question of QUESTIONS.filter((_, i) => i % EVERY === 0)) {
      expect(await askQuestion(client, question)).toMatchObject({ asks: question.asks, faults: [] });
    }
    await client.close();
    await served.close();
  });
});
