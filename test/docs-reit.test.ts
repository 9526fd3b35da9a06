import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REMEDIES } from '../src/reit/findings.ts';
import { SURFACES } from '../src/reit/permissions.ts';
import { onSqlite } from './support/engines.ts';
import { openReitPlace } from './support/reit-place.ts';

const TEXT = readFileSync(new URL('../docs/reit.md', import.meta.url), 'utf8');
const OPERATING = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
const COMMANDS = [...TEXT.matchAll(/^ *tatemono reit (.+)$/gm)].map(([, line = '']) => line);
const [, BUNDLE = ''] = /```json\n([^`]+)```/.exec(TEXT) ?? [];

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

onSqlite('docs/reit.md', (fresh) => {
  it('REIT-09 its commands take its bundle all the way', async () => {
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
    for (const kind of Object.keys(REMEDIES)) expect(TEXT).toContain(`| \`${kind}\` |`);
    for (const surface of SURFACES) expect(TEXT).toContain(`\`${surface}\``);
    const used = new Set(COMMANDS.map((line) => line.split(' ')[0]));
    for (const command of used) expect(OPERATING).toMatch(new RegExp(`reit .*${command}`));
  });
});
