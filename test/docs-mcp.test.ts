import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../src/pipeline/context.ts';
import { openRegistry } from '../src/registry/registry.ts';
import type { BuildingPage } from '../src/vocabulary/building-page.ts';
import { fillOnce, onBothEngines, openContext } from './support/engines.ts';
import { McpClient } from './support/mcp-inject.ts';
import { fillSample } from './support/served-sample.ts';
import { serverOn } from './support/serving.ts';

const DOCUMENT = readFileSync(new URL('../docs/how-to/connect-ai-agents.md', import.meta.url), 'utf8');
/** A call, and the lines that the document shows of its text; … stands for omitted lines. */
const CALLS = [...DOCUMENT.matchAll(/^`(\w+) (\{.*\})`\n\n```text\n([\s\S]*?)\n```$/gm)];

onBothEngines('how-to/connect-ai-agents.md', (fresh) => {
  let context: Context;
  let client: McpClient;
  beforeAll(async () => {
    const database = await fresh();
    await fillOnce('sample', database, fillSample);
    context = await openContext(database);
    client = await McpClient.open(serverOn(openRegistry(context.storage)));
  });
  afterAll(() => context.storage.close());

  it('shows the actual text of every call', async () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(4);
    for (const [, tool, args, text] of CALLS) {
      const { content } = await client.call(tool as string, JSON.parse(args as string));
      const answered = (content[0]?.text ?? '').split('\n');
      let from = 0;
      for (const line of (text as string).split('\n').filter((each) => each !== '…')) {
        const at = answered.indexOf(line, from);
        expect(at, line).toBeGreaterThanOrEqual(from);
        from = at + 1;
      }
    }
  });

  it('shows a field as it is in the record', async () => {
    const [, shown] = /```json\n("heightM": \{[\s\S]*?)\n```/.exec(DOCUMENT) ?? [];
    const { structuredContent } = await client.call('get_asset', { id: 'ASSET-JP-13-00000002' });
    const { heightM } = (structuredContent as unknown as BuildingPage).fields;
    expect(JSON.parse(`{${shown}}`)).toEqual({ heightM });
  });
});
