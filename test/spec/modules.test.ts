import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '..', '..', 'src');

/** Which module may import which (docs/explanation/architecture.md). main.ts, config.ts, serve.ts and cli/ may import everything. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  vocabulary: [],
  storage: ['vocabulary'],
  threads: [],
  files: ['vocabulary'],
  sources: ['vocabulary', 'files'],
  consolidation: ['vocabulary'],
  fetch: ['vocabulary', 'files', 'sources'],
  observations: ['vocabulary', 'storage', 'files'],
  registry: ['vocabulary', 'storage', 'threads', 'consolidation', 'observations'],
  reit: ['vocabulary', 'storage', 'registry', 'files', 'sources'],
  matching: ['vocabulary', 'storage', 'threads', 'consolidation', 'observations', 'registry', 'reit'],
  pipeline: [
    ...['vocabulary', 'storage', 'threads', 'files', 'sources', 'consolidation', 'matching'],
    ...['observations', 'registry', 'reit'],
  ],
  audit: ['vocabulary', 'storage', 'files', 'sources', 'consolidation', 'observations', 'registry', 'pipeline'],
  verify: [...['vocabulary', 'storage', 'threads', 'observations', 'registry', 'reit', 'matching'], 'pipeline'],
  export: ['vocabulary', 'storage', 'registry', 'pipeline'],
  surfaces: ['vocabulary', 'registry', 'reit'],
  workers: ['vocabulary', 'surfaces'],
};
const MAY_IMPORT_ALL = ['', 'cli'];
const MAY_HAVE_SQL = ['observations', 'matching', 'registry', 'reit', 'storage'];
const SURFACES = ['api', 'mcp', 'pages'];
const IN_SRC = ['config.ts', 'main.ts', 'serve.ts'];

interface Import {
  target: string;
  /** Type imports do not exist at run time, so they cannot form a cycle. */
  isType: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const moduleOf = (file: string) => (file.includes(sep) ? (file.split(sep)[0] as string) : '');
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const statements = [...text.matchAll(/(import|export)( type)?\b([^;'"]*?)(?:from\s*|\()?'(\.[^']+\.ts)'/g)];
  return statements.map(([, , type, names = '', path]) => ({
    target: normalize(join(dirname(file), path as string)),
    isType: type !== undefined || /^\s*\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names),
  }));
}

describe('modules', () => {
  it('are all known, and only three files are outside them', () => {
    const modules = new Set(files.map(moduleOf));
    expect([...modules].sort()).toEqual([...MAY_IMPORT_ALL, ...Object.keys(MAY_IMPORT)].sort());
    expect(files.filter((file) => moduleOf(file) === '').sort()).toEqual(IN_SRC);
  });

  it('import only allowed modules and existing files', () => {
    const faults: string[] = [];
    for (const [file, targets] of imports) {
      const from = moduleOf(file);
      for (const { target } of targets) {
        const to = moduleOf(target);
        const isAllowed = from === to || MAY_IMPORT_ALL.includes(from) || MAY_IMPORT[from]?.includes(to);
        if (!imports.has(target) || isAllowed !== true) faults.push(`${file} imports ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('have no import cycle', () => {
    const done = new Set<string>();
    const path: string[] = [];
    const cycles: string[] = [];
    const visit = (file: string): void => {
      const at = path.indexOf(file);
      if (at !== -1) cycles.push([...path.slice(at), file].join(' → '));
      if (at !== -1 || done.has(file)) return;
      path.push(file);
      for (const { target, isType } of imports.get(file) ?? []) if (!isType) visit(target);
      path.pop();
      done.add(file);
    };
    for (const file of files) visit(file);
    expect(cycles).toEqual([]);
  });

  it('reach no storage from code that only computes, and no surface from shared HTTP code, directly or through others', () => {
    const reached = (start: string, seen = new Set<string>()): Set<string> => {
      for (const { target, isType } of imports.get(start) ?? []) {
        if (isType || seen.has(target)) continue;
        seen.add(target);
        reached(target, seen);
      }
      return seen;
    };
    const isIn = (file: string, folders: readonly string[]) =>
      folders.some((folder) => file.startsWith(normalize(`${folder}/`)));
    const walls: [from: string[], notTo: string[]][] = [
      [
        ['vocabulary', 'files', 'sources', 'consolidation', 'threads', 'reit/extract'],
        ['storage', 'registry', 'reit/life'],
      ],
      [['surfaces/http'], SURFACES.map((surface) => `surfaces/${surface}`)],
      [
        ['surfaces', 'registry'],
        ['pipeline', 'matching', 'sources', 'cli'],
      ],
    ];
    const faults = walls.flatMap(([from, notTo]) =>
      files
        .filter((file) => isIn(file, from))
        .flatMap((file) => [...reached(file)].filter((to) => isIn(to, notTo)).map((to) => `${file} reaches ${to}`)),
    );
    expect(faults).toEqual([]);
  });

  it('only reit/extract reads files and sources, and it does not use storage', () => {
    const part = (file: string) => file.split(sep).slice(0, 2).join('/');
    const faults: string[] = [];
    for (const [file, targets] of imports) {
      if (moduleOf(file) !== 'reit') continue;
      const isExtract = part(file) === 'reit/extract';
      for (const { target } of targets) {
        const isReader = ['files', 'sources'].includes(moduleOf(target)) || part(target) === 'reit/extract';
        const isStored = ['storage', 'registry'].includes(moduleOf(target)) || part(target) === 'reit/life';
        if (isExtract ? isStored : isReader) faults.push(`${file} imports ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('contain SQL only in storage modules', () => {
    const withSql = files.filter((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      return /selectFrom|insertInto|updateTable|deleteFrom|\bsql`/.test(text);
    });
    expect(withSql.filter((file) => !MAY_HAVE_SQL.includes(moduleOf(file)))).toEqual([]);
  });

  it('throw one error class, or a subclass, for expected failures', () => {
    const classes = files.flatMap((file) => [
      ...readFileSync(join(src, file), 'utf8').matchAll(/class (\w+) extends Error\b/g),
    ]);
    expect(classes.map(([, name]) => name)).toEqual(['FailureError']);
  });

  it('http imports no surface, and api, mcp and pages never import each other', () => {
    const faults: string[] = [];
    for (const [file, targets] of imports) {
      const [from, surface = ''] = file.split(sep);
      if (from !== 'surfaces' || ![...SURFACES, 'http'].includes(surface)) continue;
      for (const { target } of targets) {
        const [to, other = ''] = target.split(sep);
        if (to === 'surfaces' && SURFACES.includes(other) && other !== surface)
          faults.push(`${file} imports ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
