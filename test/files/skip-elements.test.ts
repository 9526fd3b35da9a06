import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenFile } from '../../src/files/broken-file.ts';
import { readXml } from '../../src/files/read-xml.ts';
import { fileOf } from '../support/source-files.ts';

async function eventsOf(
  xml: string,
  chunk: number,
  names: string[],
  isSkipped = (_: string) => true,
): Promise<string[]> {
  const events: string[] = [];
  const handler = {
    open: (name: string, _: unknown, line: number) => void events.push(`<${name} @${line}`),
    close: (name: string) => void events.push(`/${name}`),
    text: (text: string) => void events.push(text),
    skips: { names, isSkipped },
  };
  for await (const _ of readXml(fileOf('a.xml', xml, chunk), handler));
  return events;
}

describe('skipped elements', () => {
  const xml = [
    '<r>',
    '<p:skip a="1>2" b=\'/>\'>',
    '<skip>of another prefix</skip>',
    '<p:skip><x/></p:skip ><p:skip/>',
    '<!-- </p:skip> --><![CDATA[</p:skip>]]><?pi </p:skip>?>',
    '</p:skip>',
    '<!-- <p:skip> --><skipped>kept</skipped><![CDATA[<p:skip>]]>',
    '<skip/><skip  />',
    '<kept>東京</kept>',
    '</r>',
  ].join('\n');

  it('are not reported, and their lines are counted', async () => {
    const expected = ['<r @1', '<skipped @7', 'kept', '/skipped', '<p:skip>', '<kept @9', '東京', '/kept', '/r'];
    for (const chunk of [1, 2, 3, 7, 61, 1000]) {
      const events = await eventsOf(xml, chunk, ['skip']);
      expect(events.map((event) => event.trim())).toEqual(expected);
    }
  });

  it('are reported if the handler does not skip them', async () => {
    const passed: string[] = [];
    const now = (name: string) => {
      passed.push(name);
      return passed.length > 1;
    };
    expect(await eventsOf('<r><a>1</a><a>2</a><b>3</b></r>', 5, ['a', 'b'], now)).toEqual([
      '<r @1',
      '<a @1',
      '1',
      '/a',
      '/r',
    ]);
    expect(passed).toEqual(['a', 'a', 'b']);
  });

  it('may be cut off', async () => {
    for (const cut of ['<r><skip>', '<r><skip', '<r><skip><!-- ', '<r><skip></ski']) {
      await expect(eventsOf(cut, 4, ['skip'])).rejects.toThrow(BrokenFile);
    }
  });

  it('are refused if a tag never ends', async () => {
    await expect(eventsOf(`<r><skip ${'a'.repeat(100_000)}`, 5_000, ['skip'])).rejects.toThrow(/tag is too long/);
  });

  it('leave the other events the same as without skipping', async () => {
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('text', '', '&amp;', '<!-- <skip> -->', '<![CDATA[</skip>]]>', '\n', '<e/>', '<skip a=">"/>'),
        fc
          .tuple(fc.constantFrom('skip', 'p:skip', 'e', 'skipper'), fc.array(tie('node'), { maxLength: 4 }))
          .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 1, max: 40 }), async (inner, chunk) => {
        const all = `<r>${inner}</r>`;
        const told = await eventsOf(all, chunk, ['nothing']);
        const expected: string[] = [];
        let depth = 0;
        for (const event of told) {
          if (event.startsWith('<skip @')) depth += 1;
          if (depth === 0) expected.push(event);
          if (event === '/skip') depth -= 1;
        }
        const tags = (events: string[]) => events.filter((event) => /^[</]\w/.test(event));
        expect(tags(await eventsOf(all, chunk, ['skip']))).toEqual(tags(expected));
      }),
      { numRuns: 150 },
    );
  });
});
