import { describe, expect, it } from 'vitest';
import { canRun, isRun, POSTGRES, type Ran, runDocument } from './support/document-runner.ts';
import { type Block, blocksIn, documents } from './support/documents.ts';
import { onPostgres, onSqlite } from './support/engines.ts';

/** … stands for anything, also for several lines. Durations differ. */
function patternOf(shown: string): RegExp {
  const literal = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '[^]*?').replace(/\bin \d+\\\.\d s\b/g, 'in [\\d.]+ s')}$`);
}

/** Compares what a document shows of an output: a text directly below the commands, or members of an object in JSON. */
function compareShown(blocks: readonly Block[], ran: readonly Ran[]): void {
  for (const [i, { at, language, text, notes, follows }] of blocks.entries()) {
    const last = blocks.slice(0, i).findLast((block) => block.language === 'sh');
    const stdout = ran.find(({ block }) => block === last)?.stdout;
    if (stdout === undefined) continue;
    if (language === 'text' && follows) expect(stdout.trimEnd(), at).toMatch(patternOf(text));
    if (notes['members of'] !== undefined) {
      const members = Object.entries(JSON.parse(`{${text}}`));
      expect(members.length, at).toBeGreaterThan(0);
      const printed = JSON.parse(stdout)[notes['members of']];
      for (const [name, value] of members) expect(printed[name], `${at} ${name}`).toEqual(value);
    }
  }
}

// Documents in Japanese have the commands of the English ones (DOC-04).
const withCommands = documents()
  .filter((document) => !document.endsWith('.ja.md'))
  .map((document) => ({ document, blocks: blocksIn(document) }))
  .filter(({ blocks }) => blocks.some(isRun));
const namesPostgres = ({ blocks }: { blocks: Block[] }) => blocks.some(({ text }) => text.includes(POSTGRES));

onSqlite('the documents', (fresh) => {
  it('with commands are found', () => {
    expect(withCommands.map(({ document }) => document)).toEqual(
      expect.arrayContaining(['README.md', 'docs/tutorial.md', 'docs/how-to/ingest.md']),
    );
  });

  for (const each of withCommands.filter((one) => !namesPostgres(one))) {
    it.skipIf(!canRun(each.blocks))(
      `DOC-02 the commands of ${each.document} run, and print what it shows`,
      async () => {
        compareShown(each.blocks, await runDocument(each.blocks, (await fresh('none')).dir));
      },
    );
  }

  const ranText = async (text: string) => {
    const blocks = blocksIn('example.md', text);
    compareShown(blocks, await runDocument(blocks, (await fresh('none')).dir));
  };
  const sh = (...lines: string[]) => ['```sh', ...lines, '```', ''].join('\n');

  it.each([
    [sh('true', 'npx tatemono statsu'), /example\.md:1: exit code 2\n.*unknown command/s],
    [
      `${sh('true')}\n${sh('curl http://127.0.0.1:3000/japan/api/v1/assets/none')}`,
      /example\.md:5: exit code (22|127)/,
    ],
    [sh('npm run nothing'), /no script nothing/],
    [sh('npx nothing'), /not run by tests/],
    [sh('npx tatemono serve'), /does not end/],
    [sh('PORT=x npm start'), /PORT: must be/],
    [sh('cat missing.txt'), /exit code 1/],
    [`${sh('echo 1')}\`\`\`text\n2\n\`\`\``, /to match/],
    [`${sh('echo \'{"a":{"b":1}}\'')}is\n<!-- members of: a -->\n\`\`\`json\n"b": 2\n\`\`\``, /example\.md:6 b/],
  ])('DOC-02 %j fails', async (text, reason) => {
    await expect(ranText(text)).rejects.toThrow(reason);
  });

  it.each([
    [`<!-- not run: it fails -->\n${sh('false')}`],
    [`<!-- file: x.txt -->\n\`\`\`text\na b\n\`\`\`\n${sh('A=1', 'cat x.txt')}\n${sh('test $A = 1')}`],
    [
      `<!-- given: y.txt = LICENSE -->\n${sh('grep -c Apache y.txt', 'echo done in 0.1 s')}\`\`\`text\n…\ndone in 9.9 s\n\`\`\``,
    ],
    [`${sh('echo \'{"a":{"b":1}}\'')}is\n<!-- members of: a -->\n\`\`\`json\n"b": 1\n\`\`\``],
  ])('DOC-02 %j passes', async (text) => ranText(text));
});

onPostgres('the documents that use a PostgreSQL server', (fresh) => {
  it.each(withCommands.filter(namesPostgres))(
    'DOC-02 the commands of $document run, and print what it shows',
    async ({ blocks }) => {
      const { dir, url } = await fresh('none');
      compareShown(blocks, await runDocument(blocks, dir, url));
    },
  );
});

describe('blocksIn', () => {
  it('reads indented blocks and the comments above them', () => {
    expect(
      blocksIn('x.md', 'a\n\n   <!-- not run: b -->\n   ```sh\n   c\n     d\n   ```\n\n   ```text\n   e\n   ```'),
    ).toEqual([
      { at: 'x.md:4', language: 'sh', text: 'c\n  d', notes: { 'not run': 'b' }, follows: false },
      { at: 'x.md:9', language: 'text', text: 'e', notes: {}, follows: true },
    ]);
  });
});
