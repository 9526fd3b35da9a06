import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../pipeline/context.ts';
import { applyCommand, composeDraft, type Dossier, grantPermission } from '../reit/life/commands.ts';
import { isSurface, PERMITTED_SURFACES } from '../reit/life/permissions.ts';
import type { Review, ReviewVerdict } from '../reit/life/publication-status.ts';
import type { LifeCommand } from '../reit/life/transitions.ts';
import { type BundleFault, describeFault } from '../reit/publication/bundle.ts';
import { describeFinding } from '../reit/publication/findings.ts';
import { parseBundle } from '../reit/publication/read-bundle.ts';
import type { Tx } from '../storage/storage.ts';
import { FailureError, type FailureOf } from '../vocabulary/failure.ts';
import type { Result } from '../vocabulary/result.ts';
import { isSource, SOURCES } from '../vocabulary/sources.ts';
import { addReitViews, type ReitTerminal } from './reit-views.ts';

const DONE = 0;
const FAILED = 1;

/** `tatemono reit …`: from a bundle to what is served, every step by someone and for a reason. */
export function addReitCommands(reit: Command, terminal: ReitTerminal): void {
  const { print, tell, withContext } = terminal;

  /** One command on one publication, in one transaction; a refusal changes nothing. */
  const change = (id: string, asked: (dossier: Dossier, at: string) => LifeCommand, done: (after: Dossier) => number) =>
    withContext(async ({ storage, now }) => {
      const at = now();
      return done(await allOrNothing(storage, (tx) => applyCommand(tx, id, (dossier) => asked(dossier, at))));
    });

  reit
    .command('compose')
    .description('keep the draft of a bundle; prints its id, then what blocks it')
    .argument('<bundle.json>', 'issuer, holdings, periods, revisions with citations, matches')
    .option('--supersedes <id>', 'a withdrawn publication of the property: publish its content again, under another id')
    .action((file: string, { supersedes }: { supersedes?: string }) =>
      withContext(async ({ storage, now }) => {
        const bundle = parseBundle(readText(file));
        if (!bundle.ok) return tellFaults(bundle.failure);
        const draft = await storage.transaction((tx) => composeDraft(tx, bundle.value, now(), supersedes));
        if (!draft.ok) return tellFaults(draft.failure);
        print(draft.value.id);
        if (draft.value.isWithdrawn) {
          print('withdrawn');
          tell(`this content was withdrawn; to publish it again, add --supersedes ${draft.value.id}`);
          return FAILED;
        }
        for (const finding of draft.value.findings) print(describeFinding(finding));
        return DONE;
      }),
    );
  const tellFaults = (faults: readonly BundleFault[]): number => {
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
          else if (standing.state !== 'blocked')
            tell(`it stays ${standing.state}: findings block only what is not activated yet`);
          else tell('tatemono reit status says what to do about each');
          return standing.state === 'blocked' ? FAILED : DONE;
        },
      ),
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
    .requiredOption('--surface <surface>', `${PERMITTED_SURFACES.join(', ')}, or all`, readSurface)
    .requiredOption('--basis <text>', 'on what the decision rests')
    .requiredOption('--by <name>', 'who decides')
    .action((verdict: 'allow' | 'deny', options: { source: string; surface: string; basis: string; by: string }) =>
      withContext(async ({ storage, now }) => {
        await allOrNothing(storage, (tx) => grantPermission(tx, { verdict, ...options, at: now() }));
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

  addReitViews(reit, terminal);
}

interface ReviewOptions {
  pass?: true;
  reject?: true;
  by: string;
  note: string;
}

function verdictOf({ pass, reject }: ReviewOptions, cli: Command): ReviewVerdict {
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
    throw new InvalidArgumentError(`It is one of ${PERMITTED_SURFACES.join(', ')}, or all.`);
  }
  return text;
}
