import { afterAll, beforeAll, expect, it } from 'vitest';
import { CATEGORIES } from '../../src/vocabulary/categories.ts';
import { onBothEngines } from '../support/engines.ts';
import { INITIALIZE, McpClient } from '../support/mcp-inject.ts';
import { openServedSample, type ServedSample } from '../support/served-sample.ts';
import { tokensOf } from '../support/tokens.ts';

const MAX_TOKENS = 1_500;
const MAX_LIST_BYTES = 30_000;

onBothEngines('the words for agents', (fresh) => {
  let served: ServedSample;
  beforeAll(async () => {
    served = await openServedSample(await fresh());
  });
  afterAll(() => served.close());

  it('AGT-01 the instructions and llms.txt teach in under 1,500 tokens how to search, read and cite', async () => {
    const { instructions } = (await new McpClient(served.app).post(INITIALIZE)).json().result;
    const llms = (await served.app.inject('/llms.txt')).body;
    for (const text of [instructions, llms]) {
      expect(tokensOf(text)).toBeLessThan(MAX_TOKENS);
      for (const part of [
        ...['literally', '丸の内一丁目9番2号', '丸の内1-9-2', 'lower case', 'minato-ku', 'osaka-shi-kita-ku'],
        ...['view=summary', 'heightMin', 'near=', 'bbox=', 'sourceUrl', 'attribution', 'conflict', 'does not know'],
        ...CATEGORIES,
      ]) {
        expect(text).toContain(part);
      }
    }
  });

  it('AGT-02 the list of tools has at most 30 KB in both protocols, and an example for each tool', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const old = await (await McpClient.open(served.app)).post(list);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const client = new McpClient(served.app);
    const modern = await client.post({ ...list, params: { _meta: meta } }, { ...client.headers, ...headers });
    for (const answer of [old, modern]) {
      expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(MAX_LIST_BYTES);
      for (const { name, description } of answer.json().result.tools) {
        const [, example] = /Example: (\{.*\})/.exec(description) ?? [];
        const { isError } =
          name === 'get_area' ? {} : await (await McpClient.open(served.app)).call(name, JSON.parse(example ?? ''));
        expect(isError, name).toBeUndefined();
      }
    }
  });
});
