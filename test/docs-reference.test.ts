import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/cli/terminal.ts';
import { readConfig } from '../src/config.ts';
import { SOURCE_FACTS } from '../src/vocabulary/source-facts.ts';
import { SOURCES } from '../src/vocabulary/sources.ts';
import { runHere } from './support/command.ts';
import { documents, filesBelow, ROOT, textOf as textOfFile } from './support/documents.ts';
import { McpClient } from './support/mcp-inject.ts';
import { emptyRegistry, serverOn } from './support/serving.ts';

const textOf = (file: string) => textOfFile(`docs/${file}`);
/** The first cells of the rows of a table that begin with code. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (`.+?) \| (.+?) \|/gm)].map(([, ...cells]) => cells as [string, string]);
const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('docs/reference/settings.md', () => {
  const document = textOf('reference/settings.md');

  it('DOC-01 lists every setting, and nothing else', () => {
    const read = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    expect(read.size).toBeGreaterThan(10);
    const listed = rowsOf(document).flatMap(([names]) => codesIn(names));
    expect([...read].filter((setting) => !listed.includes(setting))).toEqual([]);
    const source = textOfFile('src/config.ts');
    expect(listed.filter((setting) => !source.includes(setting))).toEqual([]);
  });

  it('DOC-01 gives the defaults', () => {
    for (const [names, defaults] of rowsOf(document)) {
      const [settings, values] = [codesIn(names), codesIn(defaults)];
      if (values.length === 0) expect(defaults, names).toBe('not set');
      else expect(values.length, names).toBe(settings.length);
      const given = Object.fromEntries(values.map((value, i) => [settings[i], value]));
      expect(readConfig(given), names).toEqual(readConfig({}));
    }
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

  it('DOC-01 lists every exit code', () => {
    const codes = [...document.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('DOC-01 lists every command and option', async () => {
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

describe('docs/reference/endpoints.md', () => {
  /** Paths of which there are many. */
  const FAMILIES: [path: RegExp, name: string][] = [
    [/^\/japan\/assets\/[^/]+$/, '/japan/assets/{file}'],
    [/^\/japan\/api\/schemas\/\w+$/, '/japan/api/schemas/{name}'],
    [/^\/japan\/api\/[a-z]+[A-Z]\w+$/, '/japan/api/{operation}'],
    [/^\/japan\/api\/[a-z]+[A-Z]\w+\/send$/, '/japan/api/{operation}/send'],
  ];

  it('DOC-01 lists every endpoint, and nothing else', async () => {
    const app = serverOn(emptyRegistry, undefined, { exportDir: 'out' });
    await app.ready();
    const above: string[] = [];
    const served = new Set<string>();
    for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent, segment, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line) ?? [];
      if (indent === undefined || segment === undefined) continue;
      above.splice(indent.length / 4, above.length, segment);
      const path = above.join('').replaceAll(/:(\w+)/g, '{$1}');
      if (methods !== undefined) served.add(FAMILIES.find(([family]) => family.test(path))?.[1] ?? path);
    }
    expect(served.size).toBeGreaterThan(40);
    const listed = new Set(codesIn(textOf('reference/endpoints.md')).filter((code) => code.startsWith('/')));
    expect([...listed].sort()).toEqual([...served].sort());
    await app.close();
  });
});

describe('docs/reference/monitoring.md', () => {
  it('DOC-01 lists every metric with its type', async () => {
    const app = serverOn(emptyRegistry);
    const { body } = await app.inject('/metrics');
    const served = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [`\`${name}\``, type]);
    expect(served.length).toBeGreaterThan(5);
    const listed = rowsOf(textOf('reference/monitoring.md')).filter(([name]) => name.startsWith('`tatemono_'));
    expect(listed).toEqual(expect.arrayContaining(served));
    // Some exist only with standbys or workers.
    const source = filesBelow(join(ROOT, 'src'), /\.ts$/)
      .map((path) => readFileSync(path, 'utf8'))
      .join();
    for (const [name] of listed) expect(source, name).toContain(`'${name.slice('`tatemono_'.length, -1)}'`);
    await app.close();
  });
});

describe('docs/how-to/connect-ai-agents.md', () => {
  it('DOC-01 lists every tool', async () => {
    const client = await McpClient.open(serverOn(emptyRegistry));
    const listing = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { tools } = listing.json().result as { tools: { name: string }[] };
    expect(tools.length).toBeGreaterThan(4);
    const listed = rowsOf(textOf('how-to/connect-ai-agents.md')).flatMap(([name]) => codesIn(name));
    expect(listed).toEqual(expect.arrayContaining(tools.map(({ name }) => name)));
  });
});

describe('the scripts of package.json', () => {
  const { scripts } = JSON.parse(textOfFile('package.json')) as { scripts: Record<string, string> };

  it('DOC-01 are documented', () => {
    const text = documents().map(textOfFile).join('\n');
    for (const name of Object.keys(scripts)) {
      const call = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
      expect(text, name).toMatch(new RegExp(`${call}(?![\\w:-])`));
    }
  });

  it('DOC-01 and the commands that documents name in a sentence exist', async () => {
    const help = (await runHere({}, '--help')).stdout + (await runHere({}, 'reit', '--help')).stdout;
    const current = documents().filter((document) => document !== 'CHANGELOG.md');
    for (const document of current) {
      for (const code of codesIn(textOfFile(document).replace(/^ *```.*?^ *```$/gms, ''))) {
        const [, command, script] =
          /^(?:npx )?tatemono (?!serves )((?:reit )?[a-z]+)|^npm run ([a-z:]+)/.exec(code) ?? [];
        if (command !== undefined)
          expect(help, `${document}: ${code}`).toMatch(new RegExp(`^  ${command.replace('reit ', '')}\\b`, 'm'));
        if (script !== undefined) expect(Object.keys(scripts), `${document}: ${code}`).toContain(script);
      }
    }
  });
});
