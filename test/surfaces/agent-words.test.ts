import { afterAll, beforeAll, expect, it } from 'vitest';
import { llmsText } from '../../src/surfaces/pages/llms.ts';
import { CATEGORIES } from '../../src/vocabulary/categories.ts';
import { PREFECTURE_NAMES } from '../../src/vocabulary/prefectures.ts';
import { onBothEngines } from '../support/engines.ts';
import { INITIALIZE, listModernTools, McpClient } from '../support/mcp-inject.ts';
import { openServedSample, type ServedSample } from '../support/served-sample.ts';
import { emptyRegistry } from '../support/serving.ts';
import { tokensOf } from '../support/tokens.ts';

const MAX_TOKENS = 1_500;
const MAX_LIST_BYTES = 30_000;

const LONG_ORIGIN = 'https://building-registry.open-data.metropolitan-government.example.jp';
const LIMITS = { page: 600, api: 1_200, mcp: 1_200 };
/** In the order of their codes. */
// biome-ignore format: a list
const SLUGS = `hokkaido aomori iwate miyagi akita yamagata fukushima ibaraki tochigi gumma saitama chiba
  tokyo kanagawa niigata toyama ishikawa fukui yamanashi nagano gifu shizuoka aichi mie
  shiga kyoto osaka hyogo nara wakayama tottori shimane okayama hiroshima yamaguchi tokushima
  kagawa ehime kochi fukuoka saga nagasaki kumamoto oita miyazaki kagoshima okinawa`.split(/\s+/);

it('AGT-01 llms.txt stays under 1,500 tokens with any number of prefectures and a long address', async () => {
  for (const number of [0, 1, 5, 6, 47]) {
    const children = SLUGS.slice(0, number).map((slug, i) => ({
      slug,
      nameJa: PREFECTURE_NAMES[i] as string,
      nameEn: slug,
      path: `/japan/${slug}`,
      buildingCount: 1_234_567,
    }));
    const country = { ...(await emptyRegistry.getCountry()), buildingCount: 60_000_000, children };
    const text = llmsText(LONG_ORIGIN, { ...country, latestRecordedAt: '2026-11-16T11:00:00Z' }, LIMITS);
    expect(tokensOf(text), `${number} prefectures`).toBeLessThan(MAX_TOKENS);
    for (const { slug } of children) expect(text).toContain(slug);
  }
});

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
    const modern = await listModernTools(served.app);
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
