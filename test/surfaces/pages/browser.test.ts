import { expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { emptyRegistry, serverOn } from '../../support/serving.ts';
import { listening } from '../../support/wire.ts';

const tabs = useBrowser();

it('the test browser supports WebGL', async () => {
  await listening(serverOn(emptyRegistry), async (port) => {
    const { page } = await tabs.open({ origin: `http://127.0.0.1:${port}` });
    await page.goto('/healthz');
    const drawn = await page.evaluate(`(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      gl.clearColor(1, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const pixel = new Uint8Array(4);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel];
    })()`);
    expect(drawn).toEqual([255, 0, 0, 255]);
  });
});

it('errors in a page are reported', async () => {
  await listening(serverOn(emptyRegistry), async (port) => {
    const tab = await tabs.open({ origin: `http://127.0.0.1:${port}`, bypassCSP: true });
    await tab.page.goto('/healthz');
    await tab.page.evaluate(`(() => {
      setTimeout(() => { throw new Error('thrown'); });
      console.error('said');
      fetch('http://localhost:${port}/healthz').catch(() => {});
      fetch('/nowhere');
    })()`);
    const faults: string[] = [];
    const missing = () => {
      faults.push(...tab.takeFaults());
      const all = [
        'script: thrown',
        'console: said',
        'elsewhere: http://localhost',
        '404',
        'CORS policy',
        'ERR_FAILED',
      ];
      return all.filter((part) => !faults.some((fault) => fault.includes(part)));
    };
    await expect.poll(missing, { timeout: 10_000 }).toEqual([]);
    expect(faults).toHaveLength(6);
  });
});
