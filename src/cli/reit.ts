import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context } from '../pipeline/context.ts';
import { applyCommand, composeDraft, type Dossier, grantPermission } from '../reit/life/commands.ts';
import { PERMITTED_SURFACES } from '../reit/life/permissions.ts';
import type { Review, ReviewVerdict } from '../reit/life/publication-status.ts';
import type { LifeCommand } from '../reit/life/transitions.ts';
import { type BundleFault, describeFault } from '../reit/publication/bundle.ts';
import { describeFinding } from '../reit/publication/findings.ts';
import { parseBundle } from '../reit/publication/read-bundle.ts';
import type { Tx } from '../storage/storage.ts';
import { FailureError, type FailureOf } from '../vocabulary/failure.ts';
import type { Result } from '../vocabulary/result.ts';
import { oneOf, readSource } from './arguments.ts';
import { addReitViews, PUBLICATION_ID } from './reit-views.ts';
import { EXIT, type ExitCode, type Terminal } from './terminal.ts';

/** The commands that change publications, from a bundle to what is served. */
export function addReitCommands(reit: Command, terminal: Terminal): void {
  const { print, warn, withContext } = terminal;

  /** Applies one command to one publication in one transaction; a refusal changes nothing. */
  const change = (
    id: string,
    commandFor: (dossier: Dossier, at: string) => LifeCommand,
    done: (after: Dossier) => ExitCode,
  ) =>
    withContext(async ({ storage, now }) => {
      const at = now();
      return done(await allOrNothing(storage, (tx) => applyCommand(tx, id, (dossier) => commandFor(dossier, at))));
    });

  reit
    .command('compose')
    .description('store the draft of a bundle; prints its ID and what blocks it')
    .argument('<bundle.json>', 'issuer, holdings, periods, revisions with citations, matches')
    .option('--supersedes <id>', 'a withdrawn publication of the same property; its content gets a new ID')
    .action((file: string, { supersedes }: { supersedes?: string }) =>
      withContext(async ({ storage, now }) => {
        const bundle = parseBundle(readText(file));
        if (!bundle.ok) return printFaults(bundle.failure);
        const draft = await storage.transaction((tx) => composeDraft(tx, bundle.value, now(), supersedes));
        if (!draft.ok) return printFaults(draft.failure);
        print(draft.value.id);
        if (draft.value.isWithdrawn) {
          print('withdrawn');
          warn(`this content was withdrawn; to publish it again, add --supersedes ${draft.value.id}`);
          return EXIT.failed;
        }
        for (const finding of draft.value.findings) print(describeFinding(finding));
        return EXIT.done;
      }),
    );
  const printFaults = (faults: readonly BundleFault[]): ExitCode => {
    for (const fault of faults) warn(describeFault(fault));
    return EXIT.failed;
  };

  reit
    .command('check')
    .description('exit with 0 if nothing blocks it, otherwise with 1 and the findings')
    .argument('<id>', PUBLICATION_ID)
    .action((id: string) =>
      change(
        id,
        (_, at) => ({ type: 'check', at }),
        ({ facts: { findings }, status }) => {
          for (const finding of findings) print(describeFinding(finding));
          if (findings.length === 0) print(`clean: ${status.state}`);
          else if (status.state !== 'blocked')
            warn(`it stays ${status.state}: findings block only publications that are not active yet`);
          else warn('tatemono reit status shows what to do about each finding');
          return status.state === 'blocked' ? EXIT.failed : EXIT.done;
        },
      ),
    );

  reit
    .command('review')
    .description('record a review of its data, or of its match to buildings')
    .argument('<data|match>', 'what was reviewed', oneOf<Review>(['data', 'match']))
    .argument('<id>', PUBLICATION_ID)
    .option('--pass', 'it is correct')
    .option('--reject', 'it is wrong; an active publication is withdrawn')
    .requiredOption('--by <name>', 'name of the reviewer')
    .requiredOption('--note <text>', 'what was checked, and against what')
    .action((review: Review, id: string, options: ReviewOptions, cli: Command) => {
      const verdict = verdictOf(options, cli);
      return change(
        id,
        (_, at) => ({ type: 'review', review, verdict, by: options.by, note: options.note, at }),
        ({ status }) => report(`${review} review: ${verdict}`, status.state),
      );
    });
  const report = (what: string, state: string): ExitCode => {
    print(`${what}; it is ${state}`);
    return EXIT.done;
  };

  reit
    .command('permit')
    .description('allow or deny a source on a surface, from now on')
    .argument('<allow|deny>', 'the decision', oneOf(['allow', 'deny']))
    .requiredOption('--source <source>', 'source of the values', readSource)
    .requiredOption(
      '--surface <surface>',
      `${PERMITTED_SURFACES.join(', ')}, or all`,
      oneOf([...PERMITTED_SURFACES, 'all']),
    )
    .requiredOption('--basis <text>', 'basis of the decision, such as terms of use')
    .requiredOption('--by <name>', 'name of the person who decides')
    .action((verdict: 'allow' | 'deny', options: { source: string; surface: string; basis: string; by: string }) =>
      withContext(async ({ storage, now }) => {
        await allOrNothing(storage, (tx) => grantPermission(tx, { verdict, ...options, at: now() }));
        const done = verdict === 'allow' ? 'allowed' : 'denied';
        print(`${options.source} is ${done} on ${options.surface === 'all' ? 'all surfaces' : options.surface}`);
        return EXIT.done;
      }),
    );

  reit
    .command('activate')
    .description('publish it, in place of the previous publication of its property')
    .argument('<id>', PUBLICATION_ID)
    .requiredOption('--by <name>', 'name of the person who activates it; not one of its reviewers')
    .action((id: string, { by }: { by: string }) =>
      change(
        id,
        ({ predecessors }, at) => ({ type: 'activate', id, by, at, predecessors: predecessors.map((p) => p.id) }),
        ({ status, predecessors }) => {
          print(`accepted; served on ${status.served.join(', ')}`);
          for (const other of predecessors) print(`withdrawn: ${other.id}`);
          return EXIT.done;
        },
      ),
    );

  reit
    .command('withdraw')
    .description('stop publishing it')
    .argument('<id>', PUBLICATION_ID)
    .requiredOption('--by <name>', 'name of the person who withdraws it')
    .requiredOption('--reason <text>', 'why it is withdrawn')
    .action((id: string, { by, reason }: { by: string; reason: string }) =>
      change(
        id,
        (_, at) => ({ type: 'withdraw', by, reason, at }),
        () => {
          print('withdrawn');
          return EXIT.done;
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
  if ((pass === undefined) === (reject === undefined)) cli.error('error: give either --pass or --reject');
  return pass ? 'pass' : 'reject';
}

/** A refusal is thrown inside the transaction, so that it rolls back. */
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
