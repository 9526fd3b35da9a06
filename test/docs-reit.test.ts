import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PERMITTED_SURFACES } from '../src/reit/life/permissions.ts';
import { REMEDIES } from '../src/reit/publication/findings.ts';
import { runHere } from './support/command.ts';
import { onBothEngines, onSqlite } from './support/engines.ts';
import { id } from './support/records.ts';
import { openReitPlace } from './support/reit-place.ts';

const textOf = (file: string) => readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8');
const HOW_TO = textOf('how-to/publish-reit-figures.md');
const REFERENCE = textOf('reference/reit-publications.md');
const COMMAND_LIST = textOf('reference/commands.md');
const [, UNMERGE = ''] = /^## After undoing a merge\n(.+?)^## /ms.exec(HOW_TO) ?? [];
const commandsIn = (text: string) => [...text.matchAll(/^ *tatemono (.+)$/gm)].map(([, line = '']) => line);
const COMMANDS = commandsIn(HOW_TO.replace(UNMERGE, '')).map((line) => line.replace(/^reit /, ''));
const [, BUNDLE = ''] = /```json\n([^`]+)```/.exec(REFERENCE) ?? [];

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(<[^>]+>|\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

onSqlite('how-to/publish-reit-figures.md', (fresh) => {
  it('REIT-09 its commands take its bundle through every state', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const file = join(database.dir, 'bundle.json');
    writeFileSync(file, BUNDLE);
    let id = '';
    const states: string[] = [];
    for (const line of COMMANDS) {
      const words = wordsOf(line).map((word) => (word === '<id>' ? id : word === 'bundle.json' ? file : word));
      const finished = await place.reit(...words);
      expect(finished, line).toMatchObject({ code: 0, stderr: '' });
      if (words[0] === 'compose') id = finished.stdout.trim();
      states.push(await place.stateOf(id));
    }
    expect([...new Set(states)]).toEqual(['draft', 'inReview', 'reviewed', 'accepted', 'withdrawn']);
    await place.close();
  });

  it('names every finding, every surface and every command', async () => {
    for (const kind of Object.keys(REMEDIES)) expect(REFERENCE).toContain(`| \`${kind}\` |`);
    for (const surface of PERMITTED_SURFACES) expect(REFERENCE).toContain(`\`${surface}\``);
    const used = new Set(COMMANDS.map((line) => line.split(' ')[0]));
    expect(commandsIn(UNMERGE).every((line) => line.startsWith('unmerge') || used.has(line.split(' ')[1]))).toBe(true);
    for (const command of used) expect(COMMAND_LIST).toContain(`\`reit ${command} `.trimEnd());
  });
});

onBothEngines('how-to/publish-reit-figures.md, after undoing a merge', (fresh) => {
  it('REIT-09 REIT-10 its commands serve the content again on every surface, under another ID', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const file = join(database.dir, 'bundle.json');
    writeFileSync(file, BUNDLE);
    const building = 'ASSET-JP-13-00000001';
    const { id: withdrawn } = await place.compose(BUNDLE);
    await place.accept(withdrawn);
    expect(await place.servedAnywhere(building)).toEqual([withdrawn]);
    await runHere(place.env, 'merge', building, id(2), '--reason', 'one building');
    expect(await place.stateOf(withdrawn)).toBe('withdrawn');
    expect(await place.servedAnywhere(id(2))).toEqual([]);

    const names: Record<string, string> = { 'bundle.json': file, '<withdrawn id>': withdrawn };
    const states: string[] = [];
    for (const line of commandsIn(UNMERGE)) {
      const words = wordsOf(line).map((word) => names[word] ?? word);
      const finished = await (words[0] === 'reit' ? place.reit(...words.slice(1)) : runHere(place.env, ...words));
      if (line === 'reit compose bundle.json') {
        expect(finished).toMatchObject({ code: 1, stdout: `${withdrawn}\nwithdrawn\n` });
        expect(finished.stderr).toContain(`--supersedes ${withdrawn}`);
        continue;
      }
      expect(finished, line).toMatchObject({ code: 0, stderr: '' });
      if (words.includes('--supersedes')) names['<id>'] = finished.stdout.trim();
      if (names['<id>'] !== undefined) states.push(await place.stateOf(names['<id>']));
    }
    expect(states).toEqual(['draft', 'inReview', 'inReview', 'reviewed', 'reviewed', 'accepted']);
    const successor = names['<id>'] as string;
    for (const surface of PERMITTED_SURFACES)
      expect(await place.served(surface, building), surface).toEqual([successor]);
    const [before, after] = [await place.show(withdrawn), await place.show(successor)];
    expect(after.document).toEqual({ ...before.document, supersedes: withdrawn });
    expect(before.document).not.toHaveProperty('supersedes');
    expect(await place.stateOf(withdrawn)).toBe('withdrawn');
    expect((await place.reit('status', successor)).stdout).toMatch(new RegExp(`^supersedes +${withdrawn}$`, 'm'));
    expect((await place.reit('diff', withdrawn, successor)).stdout).toContain('removed /supersedes');

    // Repeating it gives the same draft. A publication that may not be superseded is refused, and nothing is stored.
    const compose = (bundle: unknown, ...more: string[]) => {
      writeFileSync(file, typeof bundle === 'string' ? bundle : JSON.stringify(bundle));
      return place.reit('compose', file, ...more);
    };
    expect(await compose(BUNDLE, '--supersedes', withdrawn)).toMatchObject({ code: 0, stdout: `${successor}\n` });
    const list = (await place.reit('list')).stdout;
    const [bundle, unknown] = [JSON.parse(BUNDLE), `rp_${'0'.repeat(64)}`];
    const [holding] = bundle.holdings;
    for (const [refused, superseded, reason] of [
      [bundle, successor, 'it is accepted, not withdrawn'],
      [bundle, unknown, 'no publication has this ID'],
      [{ ...bundle, issuer: { ...bundle.issuer, id: 'reit-b' } }, withdrawn, 'another issuer or property'],
      [{ ...bundle, holdings: [{ ...holding, propertyCode: 'A-02' }] }, withdrawn, 'another issuer or property'],
    ]) {
      const finished = await compose(refused, '--supersedes', superseded);
      expect(finished).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });
    }
    expect((await place.reit('list')).stdout).toBe(list);

    // A withdrawn successor can itself be superseded.
    await place.reit('withdraw', successor, '--by', 'Bob', '--reason', 'x');
    const again = await compose(BUNDLE, '--supersedes', withdrawn);
    expect(again).toMatchObject({ code: 1, stdout: `${successor}\nwithdrawn\n` });
    const third = await compose(
      { ...bundle, holdings: [{ ...holding, propertyCode: 'ａ－01' }] },
      '--supersedes',
      successor,
    );
    expect(third).toMatchObject({ code: 0 });
    expect([withdrawn, successor]).not.toContain(third.stdout.trim());
    await place.close();
  });
});
