import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { SOURCE_FACTS } from '../src/vocabulary/source-facts.ts';
import { SOURCES } from '../src/vocabulary/sources.ts';
import { runHere } from './support/command.ts';

const textOf = (file: string) => readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8');

describe('docs/reference/settings.md', () => {
  const document = textOf('reference/settings.md');

  it('lists every setting', () => {
    const read = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    expect(read.size).toBeGreaterThan(10);
    expect([...read].filter((setting) => !document.includes(`\`${setting}\``))).toEqual([]);
  });
});

describe('docs/reference/licences.md', () => {
  it('ATT-04 has the facts of every source', () => {
    const rows = SOURCES.map((source) => {
      const { nameEn, licence, licenceUrl, attribution } = SOURCE_FACTS[source];
      return `| \`${source}\` | ${nameEn} | [${licence}](${licenceUrl}) | ${attribution} |`;
    });
    expect(textOf('reference/licences.md')).toContain(rows.join('\n'));
  });
});

describe('docs/reference/commands.md', () => {
  const document = textOf('reference/commands.md');
  // The options of these two have documents of their own.
  const options = document + textOf('how-to/audit.md') + textOf('reference/reit-extract.md');

  const helpOf = async (...command: string[]) => (await runHere({}, ...command, '--help')).stdout;
  const commandsIn = (help: string) =>
    [...help.slice(help.indexOf('--help')).matchAll(/^ {2}([a-z]+)\b/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');

  it('lists every command and option', async () => {
    const top = commandsIn(await helpOf());
    const reit = commandsIn(await helpOf('reit'));
    expect(top.length).toBeGreaterThan(10);
    expect(reit.length).toBeGreaterThan(10);
    const all = [...top.filter((name) => name !== 'reit').map((name) => [name]), ...reit.map((name) => ['reit', name])];
    for (const command of all) {
      expect(document).toMatch(new RegExp(`^\\| \`${command.join(' ')}[ \`]`, 'm'));
      for (const [, option = ''] of (await helpOf(...command)).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)) {
        if (option !== '--help') expect(options, command.join(' ')).toContain(option);
      }
    }
  });
});
