/** The kept verdicts on the regular expressions of src/. */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import type { FoundPatterns } from './find-patterns.ts';

/**
 * What recheck says of a pattern. Proved: an automaton of it takes linear time. Searched: it has a look-around, many repetitions or
 * another part that makes an automaton too large, and no slow input was found. Accepted: there is a slow input, or recheck could not tell,
 * and whatever reaches the pattern is so short that it does not matter.
 */
export type Verdict =
  | { kind: 'proved' }
  | { kind: 'searched' }
  | { kind: 'accepted'; result: string /** What bounds its input. */; reason: string };

/** A `new RegExp` inside a function. */
interface KeptBuilt {
  file: string;
  code: string;
  /** Where its parts come from. */
  how: string;
  /** What it makes, apart from what it makes while its module is loaded. */
  examples: string[];
}

interface KeptFile {
  /** With its version. */
  tool: string;
  proved: string[];
  searched: string[];
  accepted: { pattern: string; result: string; reason: string }[];
  built: KeptBuilt[];
}

export interface KeptPatterns {
  tool: string;
  /** By pattern, as in `/a+/u`. */
  verdicts: Map<string, Verdict>;
  built: KeptBuilt[];
}

const ROOT = new URL('../', import.meta.url);
const FILE = new URL('test/spec/patterns.json', ROOT);
const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
export const TOOL = `recheck ${devDependencies.recheck}`;

/**
 * Limits of steps instead of time, so that a verdict does not depend on the machine: no input of up to 30,000 characters may
 * take ten million steps. The last limit, of time, only ends what takes too long to tell.
 */
const LIMITS = {
  maxAttackStringSize: 30_000,
  attackLimit: 10_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  timeout: 120_000,
};

export function readKept(): KeptPatterns {
  const { tool, proved, searched, accepted, built } = JSON.parse(readFileSync(FILE, 'utf8')) as KeptFile;
  const verdicts = new Map<string, Verdict>([
    ...proved.map((pattern) => [pattern, { kind: 'proved' }] as const),
    ...searched.map((pattern) => [pattern, { kind: 'searched' }] as const),
    ...accepted.map(({ pattern, result, reason }) => [pattern, { kind: 'accepted', result, reason }] as const),
  ]);
  return { tool, verdicts, built };
}

export function writeKept({ tool, verdicts, built }: KeptPatterns): void {
  const entries = [...verdicts].sort(([a], [b]) => (a < b ? -1 : 1));
  const file: KeptFile = {
    tool,
    proved: entries.flatMap(([pattern, { kind }]) => (kind === 'proved' ? pattern : [])),
    searched: entries.flatMap(([pattern, { kind }]) => (kind === 'searched' ? pattern : [])),
    accepted: entries.flatMap(([pattern, verdict]) =>
      verdict.kind === 'accepted' ? { pattern, result: verdict.result, reason: verdict.reason } : [],
    ),
    built,
  };
  writeFileSync(FILE, `${JSON.stringify(file, null, 2)}\n`);
}

/** Every `new RegExp` inside a function with what is kept of it; empty if nothing is. */
export function keepBuilt(found: FoundPatterns, kept: KeptPatterns): KeptBuilt[] {
  return found.built.map(({ file, code }) => {
    const known = kept.built.find((each) => each.file === file && each.code === code);
    return known ?? { file, code, how: '', examples: [] };
  });
}

/** What needs a verdict, in order: every pattern of src/ once, and the examples of what functions make. */
export function patternsToCheck(found: FoundPatterns, built: readonly KeptBuilt[]): string[] {
  const patterns = found.patterns.map(({ pattern }) => pattern);
  return [...new Set([...patterns, ...built.flatMap(({ examples }) => examples)])].sort();
}

export async function checkPattern(pattern: string): Promise<Verdict> {
  // The JavaScript in this process instead of a program of the platform.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  const end = pattern.lastIndexOf('/');
  const result = checkSync(pattern.slice(1, end), pattern.slice(end + 1), LIMITS);
  if (result.status === 'safe') return { kind: result.checker === 'automaton' ? 'proved' : 'searched' };
  const text = result.status === 'vulnerable' ? result.complexity.summary : `unknown (${result.error.kind})`;
  return { kind: 'accepted', result: text, reason: '' };
}
