import { describe, expect, it } from 'vitest';
import { answerOf, assetUrl, emptyRegistry, expectProblem, serverOn } from '../support/serving.ts';
import { ask, exchange, listening } from '../support/wire.ts';

const ID = 'ASSET-JP-13-00000001';

function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

describe('metrics', () => {
  it('count requests by surface and status, their durations, and rejections', async () => {
    const app = serverOn(emptyRegistry, undefined, { rateLimit: { api: 2, page: 0, mcp: 0 } });
    await listening(app, async (port) => {
      for (let i = 0; i < 5; i++) await ask(port, { path: assetUrl(ID) });
      await ask(port, { path: '/japan/nowhere' });
      await ask(port, { path: '/japan/%zz' });
      await ask(port, { path: '/healthz' });
      await exchange(port, 'nonsense\r\n\r\n');
      const answer = await ask(port, { path: '/metrics' });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      const samples = samplesOf(answer.body);
      const requests = (surface: string, status: string) =>
        samples.get(`tatemono_http_requests_total{surface="${surface}",status="${status}"}`);
      expect([requests('api', '2xx'), requests('api', '4xx')]).toEqual([0, 5]);
      expect([requests('page', '4xx'), requests('other', '2xx'), requests('other', '4xx')]).toEqual([2, 1, 1]);
      expect(samples.get('tatemono_rate_limit_rejections_total{surface="api"}')).toBe(3);
      const duration = (rest: string) => samples.get(`tatemono_http_request_duration_seconds${rest}`);
      expect(duration('_count{surface="api"}')).toBe(5);
      expect(duration('_bucket{surface="api",le="+Inf"}')).toBe(5);
      expect(duration('_sum{surface="api"}')).toBeGreaterThan(0);
      expect(samples.get('tatemono_process_memory_bytes{kind="rss"}')).toBeGreaterThan(1e6);
      expect(samples.get('tatemono_process_uptime_seconds')).toBeGreaterThan(0);
      expect(samples.get('tatemono_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
    });
  });

  it('are in the text format: HELP and TYPE before each sample, only numbers as values, cumulative buckets', async () => {
    const app = serverOn(emptyRegistry);
    await app.inject(assetUrl(ID));
    const text = (await app.inject('/metrics')).body;
    const names = new Set<string>();
    for (const line of text.trimEnd().split('\n')) {
      const comment = /^# (?:HELP|TYPE) (\w+) /.exec(line);
      if (comment !== null) names.add(comment[1] as string);
      else {
        const [, name = ''] = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(?:\w+="[^"]*",?)+\})? [\d.e+-]+$/.exec(line) ?? [];
        expect(names, line).toContain(name);
      }
    }
    const buckets = [...samplesOf(text)].filter(([name]) => name.includes('_bucket{surface="api"'));
    const counts = buckets.map(([, count]) => count);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(1);
    await app.close();
  });

  it.each([
    ['127.0.0.1', {}, 200],
    ['127.8.8.8', {}, 200],
    ['::1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['192.0.2.1', {}, 404],
    ['::ffff:192.0.2.1', {}, 404],
    ['2001:db8::127.0.0.1', {}, 404],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
    ['127.0.0.1', { 'x-forwarded-for': '' }, 404],
    ['127.0.0.1', { forwarded: 'for=192.0.2.1' }, 404],
    ['192.0.2.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
  ])('are served only to this machine: %s %o %i', async (remoteAddress, headers, status) => {
    for (const trustProxy of [false, true]) {
      const app = serverOn(emptyRegistry, undefined, { trustProxy });
      const answer = answerOf(await app.inject({ url: '/metrics', remoteAddress, headers }));
      if (status === 404) expectProblem(answer, 404);
      else expect(answer.status).toBe(status);
      await app.close();
    }
  });
});
