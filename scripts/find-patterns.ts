/** Finds the regular expressions of src/. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

/** One regular expression, as it would be written: `/a+/u`. */
export interface FoundPattern {
  pattern: string;
  file: string;
}

/** A `new RegExp` inside a function: what it makes depends on its arguments. */
export interface BuiltPattern {
  file: string;
  /** On one line. */
  code: string;
  /** What it makes while its module is loaded. */
  made: string[];
}

export interface FoundPatterns {
  /** Literals, patterns of schemas, and what `new RegExp` makes while a module is loaded. */
  patterns: FoundPattern[];
  built: BuiltPattern[];
}

const SRC = new URL('../src/', import.meta.url);

interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

interface Site extends Omit<BuiltPattern, 'made'> {
  /** As in a stack: `file:///…/src/a.ts:12:3`. */
  place: string;
  isInFunction: boolean;
}

export async function findPatterns(): Promise<FoundPatterns> {
  const patterns: FoundPattern[] = [];
  const sites: Site[] = [];
  for (const file of globSync('**/*.ts', { cwd: fileURLToPath(SRC) }).sort()) {
    const text = readFileSync(new URL(file, SRC), 'utf8');
    const name = file.replaceAll('\\', '/');
    eachNode(parseAst(text, { lang: 'ts' }), false, (node, isInFunction) => {
      const pattern = literalIn(node) ?? schemaPatternIn(node, name);
      if (pattern !== undefined) patterns.push({ pattern, file: name });
      if (!isConstruction(node)) return;
      const code = text.slice(node.start, node.end).replace(/\s+/g, ' ');
      const place = `${new URL(file, SRC)}:${placeOf(text, node.start)}`;
      sites.push({ file: name, code, place, isInFunction });
    });
  }
  const recorded = await recordPatterns(sites);
  const built = new Map<string, BuiltPattern>();
  for (const { file, code, place, isInFunction } of sites) {
    const made = recorded.get(place) ?? [];
    if (made.length === 0 && !isInFunction) throw new Error(`src/${file}: ${code} makes nothing while it is loaded`);
    patterns.push(...made.map((pattern) => ({ pattern, file })));
    if (isInFunction) built.set(`${file} ${code}`, { file, code, made });
  }
  return { patterns, built: [...built.values()] };
}

function eachNode(value: unknown, isInFunction: boolean, visit: (node: Node, isInFunction: boolean) => void): void {
  if (Array.isArray(value)) for (const each of value) eachNode(each, isInFunction, visit);
  if (typeof value !== 'object' || value === null || !('type' in value)) return;
  const node = value as Node;
  visit(node, isInFunction);
  const isInside = isInFunction || node.type.includes('Function');
  for (const [member, child] of Object.entries(node)) if (member !== 'parent') eachNode(child, isInside, visit);
}

function literalIn({ type, regex }: Node): string | undefined {
  if (type !== 'Literal' || regex === undefined) return undefined;
  const { pattern, flags } = regex as { pattern: string; flags: string };
  return `/${pattern}/${flags}`;
}

/** The value of a constant `…_PATTERN` or of `pattern` in a schema, which is such a constant or a text. */
function schemaPatternIn(node: Node, file: string): string | undefined {
  const { type } = node;
  const isConstant = type === 'VariableDeclarator' && nameOf(node.id).endsWith('_PATTERN');
  const isMember = type === 'Property' && node.shorthand !== true && nameOf(node.key) === 'pattern';
  if (!isConstant && !isMember) return undefined;
  const value = (isConstant ? node.init : node.value) as Node;
  if (isMember && value.type !== 'Literal') {
    // Any other member of this name holds a RegExp, found where it is made.
    if (value.type === 'TemplateLiteral') throw new Error(`src/${file}: a pattern of a schema must be a plain text`);
    return undefined;
  }
  return typeof value.value === 'string' ? String(new RegExp(value.value, 'u')) : undefined;
}

const nameOf = (node: unknown): string => String((node as { name?: unknown } | null)?.name);

function isConstruction({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && nameOf(callee) === 'RegExp';
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) as string).length + 1}`;
}

/** What each place makes while its module is loaded. */
async function recordPatterns(sites: readonly Site[]): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>(sites.map(({ place }) => [place, []]));
  const Original = RegExp;
  const record = (pattern: RegExp): RegExp => {
    const frames = new Error().stack?.split('\n') ?? [];
    const place = /file:\S+:\d+:\d+/.exec(frames.find((frame) => frame.includes(SRC.href)) ?? '')?.[0] ?? '';
    made.get(place)?.push(String(pattern));
    return pattern;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args) => record(new target(...(args as [string, string?]))),
    apply: (target, _, args) => record(target(...(args as [string, string?]))),
  });
  try {
    for (const file of new Set(sites.map((site) => site.file))) await import(new URL(file, SRC).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}
