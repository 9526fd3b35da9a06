import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './pipeline/context.ts';
import { command, composeDraft, type Dossier, grant, readDossier, UNKNOWN } from './reit/commands.ts';
import { describeDiff } from './reit/describe-diff.ts';
import { describeInList, describeStatus } from './reit/describe-status.ts';
import { describeTable } from './reit/describe-table.ts';
import type { Document } from './reit/document.ts';
import { describeFault, type Fault } from './reit/fault.ts';
import { describeFinding } from './reit/findings.ts';
import type { Review, Verdict } from './reit/life.ts';
import { isSurface, SURFACES } from './reit/permissions.ts';
import { parseBundle } from './reit/read-bundle.ts';
import { readPublication } from './reit/reit.ts';
import { allPublications, findPublications, readDocument } from './reit/store.ts';
import type { Command as LifeCommand } from './reit/transitions.ts';
import type { Tx } from './storage/storage.ts';
import { FailureError, type FailureOf } from './vocabulary/failure.ts';
import type { Result } from './vocabulary/result.ts';
import { isSource, SOURCES } from './vocabulary/sources.ts';

export interface ReitTerminal {
  print(line: string): void;
  tell(line: string): void;
  withContext(work: (context: Context) => Promise<number | undefined>): Promise<void>;
}

const DONE = 0;
const FAILED = 1;

/** `tatemono reit …`: from a bundle to what is served, every step by someone and for a reason. */
export function addReitCommands(program: Command, { print, tell, withContext }: ReitTerminal): Command {
  const reit = program.command('reit').description('property histories of REITs: compose, review, activate, withdraw');

  /** One command on one publication, in one transaction; a refusal changes nothing. */
  const change = (id: string, asked: (dossier: Dossier, at: string) => LifeCommand, done: (after: Dossier) => number) =>
    withContext(async ({ storage, now }) => {
      const at = now();
      return done(await allOrNothing(storage, (tx) => command(tx, id, (dossier) => asked(dossier, at))));
    });

  const read = (id: string, work: (dossier: Dossier, context: Context) => Promise<void> | void) =>
    withContext(async (context) => {
      const dossier = await context.storage.snapshot((reads) => readDossier(reads, id));
      if (dossier === undefined) throw new FailureError(UNKNOWN);
      await work(dossier, context);
      return DONE;
    });

  reit
    .command('compose')
    .description('keep the draft of a bundle; prints its id, then what blocks it')
    .argument('<bundle.json>', 'issuer, holdings, periods, revisions with citations, matches')
    .action((file: string) =>
      withContext(async ({ storage, now }) => {
        const bundle = parseBundle(readText(file));
        if (!bundle.ok) return tellFaults(bundle.failure);
        const draft = await storage.transaction((tx) => composeDraft(tx, bundle.value, now()));
        if (!draft.ok) return tellFaults(draft.failure);
        print(draft.value.id);
        for (const finding of draft.value.findings) print(describeFinding(finding));
        return DONE;
      }),
    );
  const tellFaults = (faults: readonly Fault[]): number => {
    for (const fault of faults) tell(describeFault(fault));
    return FAILED;
  };

  reit
    .command('check')
    .description('end with 0 where nothing blocks it, else with 1 and what does')
    .argument('<id>')
    .action((id: string) =>
      change(
        id,
        (_, at) => ({ type: 'check', at }),
        ({ facts: { findings }, standing }) => {
          for (const finding of findings) print(describeFinding(finding));
          if (findings.length === 0) print(`clean: ${standing.state}`);
          else tell('tatemono reit status says what to do about each');
          return findings.length === 0 ? DONE : FAILED;
        },
      ),
    );

  reit
    .command('show')
    .description('print {id, computedAt, document} as JSON, in whatever state it is')
    .argument('<id>')
    .option('--table', 'for people: every cell with who says it and where')
    .action((id: string, { table = false }: { table?: boolean }) =>
      read(id, ({ computedAt, document, bytes }) => {
        if (table) for (const line of describeTable(document)) print(line);
        else {
          const head = `{"id":${JSON.stringify(id)},"computedAt":${JSON.stringify(computedAt)},"document":`;
          print(inertJson(`${head}${Buffer.from(bytes)}}`));
        }
      }),
    );

  reit
    .command('list')
    .description('every publication: state, id, issuer, property codes, buildings')
    .action(() =>
      withContext(async ({ storage }) => {
        for (const id of await storage.snapshot(allPublications)) {
          const dossier = await storage.snapshot((reads) => readDossier(reads, id));
          if (dossier !== undefined) print(describeInList(dossier));
        }
        return DONE;
      }),
    );

  reit
    .command('status')
    .description('its state, checks, permissions, findings with what to do, and its life so far')
    .argument('<id>')
    .action((id: string) => read(id, (dossier) => describeStatus(dossier).forEach(print)));

  reit
    .command('diff')
    .description('what differs from another one, or from the one of its property that is in force')
    .argument('<id>')
    .argument('[other]')
    .action((id: string, other?: string) =>
      read(id, async ({ document, predecessors }, { storage }) => {
        const against = other ?? predecessors[0]?.id;
        if (against === undefined) return print('no publication of this property is in force: all of it is new');
        const before = await storage.snapshot(async (reads): Promise<Document | undefined> => {
          const [kept] = await findPublications(reads, [against]);
          const body = await readDocument(reads, against);
          return kept && body && readPublication({ ...kept, body }).document;
        });
        if (before === undefined) throw new FailureError(UNKNOWN);
        const lines = describeDiff(before, document);
        if (other === undefined) print(`against ${against}`);
        for (const line of lines) print(line);
        if (lines.length === 0) print('nothing differs');
      }),
    );

  reit
    .command('review')
    .description('say that its data, or its match to buildings, was looked at and is right, or is not')
    .argument('<data|match>', 'what was reviewed', oneOf<Review>('data', 'match'))
    .argument('<id>')
    .option('--pass', 'it is right')
    .option('--reject', 'it is wrong; what is in force is withdrawn')
    .requiredOption('--by <name>', 'who looked')
    .requiredOption('--note <text>', 'at what')
    .action((review: Review, id: string, options: ReviewOptions, cli: Command) => {
      const verdict = verdictOf(options, cli);
      return change(
        id,
        (_, at) => ({ type: 'review', review, verdict, by: options.by, note: options.note, at }),
        ({ standing }) => say(`${review} review: ${verdict}`, standing.state),
      );
    });
  const say = (what: string, state: string): number => {
    print(`${what}; it is ${state}`);
    return DONE;
  };

  reit
    .command('permit')
    .description('allow or deny that what a source says is shown on a surface, from now on')
    .argument('<allow|deny>', 'what is decided', oneOf('allow', 'deny'))
    .requiredOption('--source <source>', 'whose values', readReitSource)
    .requiredOption('--surface <surface>', `${SURFACES.join(', ')}, or all`, readSurface)
    .requiredOption('--basis <text>', 'on what the decision rests')
    .requiredOption('--by <name>', 'who decides')
    .action((verdict: 'allow' | 'deny', options: { source: string; surface: string; basis: string; by: string }) =>
      withContext(async ({ storage, now }) => {
        await allOrNothing(storage, (tx) => grant(tx, { verdict, ...options, at: now() }));
        const done = verdict === 'allow' ? 'allowed' : 'denied';
        print(`${options.source} is ${done} on ${options.surface === 'all' ? 'all surfaces' : options.surface}`);
        return DONE;
      }),
    );

  reit
    .command('activate')
    .description('serve it from now on, in the place of what its property had')
    .argument('<id>')
    .requiredOption('--by <name>', 'who activates: not a reviewer of it')
    .action((id: string, { by }: { by: string }) =>
      change(
        id,
        ({ predecessors }, at) => ({ type: 'activate', id, by, at, predecessors: predecessors.map((p) => p.id) }),
        ({ standing, predecessors }) => {
          print(`accepted; served on ${standing.served.join(', ')}`);
          for (const other of predecessors) print(`withdrawn: ${other.id}`);
          return DONE;
        },
      ),
    );

  reit
    .command('withdraw')
    .description('serve it no more')
    .argument('<id>')
    .requiredOption('--by <name>', 'who withdraws it')
    .requiredOption('--reason <text>', 'why')
    .action((id: string, { by, reason }: { by: string; reason: string }) =>
      change(
        id,
        (_, at) => ({ type: 'withdraw', by, reason, at }),
        () => {
          print('withdrawn');
          return DONE;
        },
      ),
    );
  return reit;
}

interface ReviewOptions {
  pass?: true;
  reject?: true;
  by: string;
  note: string;
}

function verdictOf({ pass, reject }: ReviewOptions, cli: Command): Verdict {
  if ((pass === undefined) === (reject === undefined)) cli.error('error: say either --pass or --reject');
  return pass ? 'pass' : 'reject';
}

/** A refusal is thrown inside the transaction, so that it leaves nothing behind. */
function allOrNothing<T>(
  storage: Context['storage'],
  work: (tx: Tx) => Promise<Result<T, FailureOf<'refused'>>>,
): Promise<T> {
  return storage.transaction(async (tx) => {
    const result = await work(tx);
    if (!result.ok) throw new FailureError(result.failure);
    return result.value;
  });
}

function readText(file: string): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FailureError({ kind: 'brokenFile', file, reason: 'not UTF-8: give a JSON file in UTF-8' });
  }
}

/** The same JSON, with what moves a cursor or turns text around as escapes. */
function inertJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (text) =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

function oneOf<T extends string>(...words: T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`It is one of ${words.join(', ')}.`);
    return found;
  };
}

function readReitSource(text: string): string {
  if (!isSource(text)) throw new InvalidArgumentError(`It is one of ${SOURCES.join(', ')}.`);
  return text;
}

function readSurface(text: string): string {
  if (text !== 'all' && !isSurface(text)) {
    throw new InvalidArgumentError(`It is one of ${SURFACES.join(', ')}, or all.`);
  }
  return text;
}
