import { statSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { listLeftOut } from '../observations/left-out.ts';
import { NAMES_SEVERAL, namesOne, recordIdOf } from '../observations/source-records.ts';
import { INGEST_SOURCES, type IngestSource } from '../pipeline/adapters.ts';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../pipeline/change-identity.ts';
import type { Context } from '../pipeline/context.ts';
import { restoreRegistry } from '../pipeline/restore.ts';
import { ingest, republish } from '../pipeline/run.ts';
import type { SourceOptions } from '../pipeline/source-ingest.ts';
import { listUnjoined } from '../registry/area-pieces.ts';
import { backUp } from '../storage/backup.ts';
import { migrate } from '../storage/migrate.ts';
import { openStorage } from '../storage/open-storage.ts';
import { cleanUpAfterRestore } from '../storage/restore-run.ts';
import { formatAssetId, parseAssetId } from '../vocabulary/asset-id.ts';
import { readSourceUrl } from '../vocabulary/source-url.ts';
import { SOURCES } from '../vocabulary/sources.ts';
import { printable, printableLines } from '../vocabulary/text.ts';
import { parseInstant } from '../vocabulary/time.ts';
import { addAuditCommand } from './audit.ts';
import { printStatus } from './status.ts';
import { MAX_PATH, type Terminal, type TerminalReport, terminalReport } from './terminal.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

const REIT_SUMMARY = 'property histories of REITs: compose, review, activate, withdraw';

/** Runs one command line; returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.done;
  const print = (line: string) => terminal.out.write(`${line}\n`);
  const tell = (line: string) => void terminal.err.write(`${line}\n`);

  /** Opens the database, brings its tables up to date, and closes it whatever happens. */
  const withContext = async (
    work: (context: Context & { report: TerminalReport }) => Promise<number | undefined>,
  ): Promise<void> => {
    const { config } = terminal;
    const storage = openStorage(config.databaseUrl, (error) =>
      terminal.err.write(`database: ${printable(error.message, 2_000)}\n`),
    );
    const report = terminalReport(terminal.err);
    try {
      await migrate(storage, undefined, tell);
      await cleanUpAfterRestore(storage);
      const now = () => new Date().toISOString();
      exit =
        (await work({ storage, databaseUrl: config.databaseUrl, archiveDir: config.archiveDir, now, report })) ??
        EXIT.done;
    } finally {
      report.end();
      await storage.close();
    }
  };

  const program = new Command('tatemono')
    .description('The open building registry for Japan.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(printableLines(text)),
    });

  program
    .command('serve')
    .description('answer requests; an empty database first gets the bundled sample')
    .action(() =>
      withContext(async (context) => {
        // No other command needs what serves, nor the memory that it takes.
        const { serve } = await import('../serve.ts');
        return serve(context, terminal);
      }),
    );

  program
    .command('ingest')
    .description('archive, match, store and publish what a source says')
    .argument('<source>', `what the files are: ${INGEST_SOURCES.join(', ')}`, readIngestSource)
    .argument('<path...>', 'files, zips, or folders of them')
    .option('--retrieved-at <moment>', 'when they were fetched, like 2026-01-31T00:00:00Z; else now', readMoment)
    .option('--url <address>', 'where they were fetched, for sources whose records have no address', readUrl)
    .option('--verbose', 'name everything that is rejected, passed over or left out, not only the first hundred')
    .action((source: IngestSource, paths: string[], { verbose, ...options }: SourceOptions & { verbose?: true }) =>
      withContext(async (context) => {
        const started = performance.now();
        if (verbose) context.report.showAll();
        const results = await ingest(context, source, paths, options);
        let rejected = 0;
        for (const [file, counts] of results) {
          rejected += counts.rejected;
          const { moved, ...usual } = counts;
          const parts = Object.entries(moved > 0 ? counts : usual).map(([name, count]) => `${name} ${count}`);
          print(`${printable(file, MAX_PATH)}: ${parts.join(', ')}`);
        }
        const notes = context.report.notes();
        if (notes > 0) print(`${notes} value${notes === 1 ? '' : 's'} passed over`);
        if (results.size > 0) print(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
        return rejected > 0 || context.report.broke() ? EXIT.failed : EXIT.done;
      }),
    );

  program
    .command('republish')
    .description('consolidate again from what is stored')
    .option('--all', 'every building, not only those whose evidence changed')
    .action(({ all = false }: { all?: boolean }) =>
      withContext(async (context) => {
        const { consolidated, pages, nearby } = await republish(context, all);
        print(`consolidated ${consolidated}, pages written ${pages}, surroundings written ${nearby}`);
        return EXIT.done;
      }),
    );

  program
    .command('merge')
    .description('make one building of two: the first ID leads to the second')
    .argument('<loser>', 'the ID that ends', readAssetId)
    .argument('<survivor>', 'the ID that stays', readAssetId)
    .option('--reason <text>', 'kept with the change')
    .action((loser: string, survivor: string, { reason = null }: { reason?: string | null }) =>
      withContext(async (context) => {
        const outcome = await mergeBuildings(context, loser, survivor, reason);
        print(outcome === 'done' ? `merged ${loser} into ${survivor}` : `${loser} is merged into ${survivor} already`);
        return EXIT.done;
      }),
    );

  program
    .command('unmerge')
    .description('take a merge back')
    .argument('<loser>', 'the ID that was merged', readAssetId)
    .option('--reason <text>', 'kept with the change')
    .action((loser: string, { reason = null }: { reason?: string | null }) =>
      withContext(async (context) => {
        await unmergeBuilding(context, loser, reason);
        print(`unmerged ${loser}`);
        return EXIT.done;
      }),
    );

  program
    .command('retire')
    .description('end the ID of a building that is no more')
    .argument('<id>', 'the ID that ends', readAssetId)
    .option('--into <id>', 'the ID it leads to from now on', readAssetId)
    .option('--reason <text>', 'kept with the change')
    .action((id: string, { into, reason = null }: { into?: string; reason?: string | null }) =>
      withContext(async (context) => {
        const outcome = await retireBuilding(context, id, into, reason);
        print(
          outcome === 'done' ? `retired ${id}${into === undefined ? '' : ` into ${into}`}` : `${id} is retired already`,
        );
        return EXIT.done;
      }),
    );

  program
    .command('unmatched')
    .description('list the records that contribute nothing, and why')
    .option('--source <source>', 'only of this source', readSource)
    .action(({ source }: { source?: string }) =>
      withContext(async ({ storage }) => {
        let count = 0;
        for await (const { reason, claimed, file, line, ...record } of listLeftOut(storage.db, source)) {
          const named = namesOne(claimed)
            ? `\tnames ${formatAssetId(claimed)}`
            : claimed === NAMES_SEVERAL
              ? '\tnamed for several buildings'
              : '';
          const place = `${printable(file, MAX_PATH)}:${line}`;
          print(`${reason}\t${record.source}\t${printable(record.sourceRecordId)}\t${place}${named}`);
          count += 1;
        }
        if (source === undefined || source === 'estat') {
          for await (const { id, ward, nameJa, file, line } of listUnjoined(storage.db)) {
            const place = `${printable(file, MAX_PATH)}:${line}`;
            print(`unmatched\testat\t${printable(recordIdOf(id))}\t${place}\tnames ${printable(nameJa)} in ${ward}`);
            count += 1;
          }
        }
        terminal.err.write(`${count} record${count === 1 ? '' : 's'} contribute${count === 1 ? 's' : ''} nothing\n`);
        return EXIT.done;
      }),
    );

  // What REITs need is much, and an ingest has no memory to spare for it.
  if (args.includes('reit')) {
    const { addReitCommands } = await import('./reit.ts');
    const { addExtractCommand } = await import('./reit-extract.ts');
    const reit = program.command('reit').description(REIT_SUMMARY);
    addReitCommands(reit, { print, tell, withContext });
    addExtractCommand(reit, {
      out: (text) => terminal.out.write(text),
      err: (line) => terminal.err.write(`${printableLines(line)}\n`),
      failed: () => {
        exit = EXIT.failed;
      },
      readMoment,
    });
  } else {
    program.command('reit').description(REIT_SUMMARY);
  }

  program
    .command('backup')
    .description('write everything that is published and kept into one file; serving goes on')
    .argument('<file>', 'a file that does not exist yet')
    .action((file: string) =>
      withContext(async ({ storage }) => {
        await backUp(storage, file);
        print(`backed up into ${printable(file, MAX_PATH)} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
        return EXIT.done;
      }),
    );

  program
    .command('restore')
    .description('put what a backup holds in the place of all that is there')
    .argument('<file>', 'a backup, of either kind of database')
    .action((file: string) =>
      withContext(async (context) => {
        await restoreRegistry(context, file, tell);
        print(`restored from ${printable(file, MAX_PATH)}`);
        return EXIT.done;
      }),
    );

  addAuditCommand(program, { print, tell, withContext, readSource });

  program
    .command('status')
    .description('counts, sizes, migrations, and the last ingest of each source')
    .action(() => withContext(async ({ storage, archiveDir }) => void (await printStatus(storage, archiveDir, print))));

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return exit;
}

function readAssetId(text: string): string {
  if (parseAssetId(text) === undefined) throw new InvalidArgumentError('It has the form ASSET-JP-NN-NNNNNNNN.');
  return text;
}

function readSource(text: string): string {
  if (!(SOURCES as readonly string[]).includes(text))
    throw new InvalidArgumentError(`It is one of ${SOURCES.join(', ')}.`);
  return text;
}

function readIngestSource(text: string): string {
  if (!(INGEST_SOURCES as readonly string[]).includes(text)) {
    throw new InvalidArgumentError(`It is one of ${INGEST_SOURCES.join(', ')}.`);
  }
  return text;
}

function readMoment(text: string): string {
  const moment = parseInstant(text);
  if (moment === undefined)
    throw new InvalidArgumentError('It is a moment of the calendar, like 2026-01-31T00:00:00Z.');
  return moment;
}

function readUrl(text: string): string {
  const read = readSourceUrl(text);
  if (!read.ok) throw new InvalidArgumentError('It is an http or https address.');
  if (read.value.removed.length > 0) {
    throw new InvalidArgumentError(
      `It carries ${read.value.removed.join(' and ')}: give it without, since it is published.`,
    );
  }
  return text;
}
