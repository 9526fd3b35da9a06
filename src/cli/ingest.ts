import type { Command } from 'commander';
import { NAMES_SEVERAL, namesOne, recordIdOf } from '../observations/source-records.ts';
import { INGEST_SOURCES, type IngestSource } from '../pipeline/adapters.ts';
import { ingest, republish } from '../pipeline/run.ts';
import type { SourceOptions, SourcePaths } from '../pipeline/source-ingest.ts';
import { countAreaRecords, listUnjoined } from '../registry/area-pieces.ts';
import { listLeftOut } from '../registry/left-out.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { AREA_REASON } from '../vocabulary/source-record.ts';
import type { Source } from '../vocabulary/sources.ts';
import { printable } from '../vocabulary/text.ts';
import { oneOf, readMoment, readSource, readUrl } from './arguments.ts';
import { EXIT, type ExitCode, MAX_PATH, type Terminal, type TerminalContext } from './terminal.ts';

/** `ingest`, `unmatched`, `republish`: from files to published records. */
export function addIngestCommands(program: Command, { print, warn, withContext }: Terminal): void {
  program
    .command('ingest')
    .description('archive, read, match and publish files of a source')
    .argument('<source>', `what the files are: ${INGEST_SOURCES.join(', ')}`, oneOf(INGEST_SOURCES))
    .argument('<path...>', 'files, zips or folders')
    .option('--retrieved-at <moment>', 'when they were fetched, such as 2026-01-31T00:00:00Z; default: now', readMoment)
    .option('--url <address>', 'where they were fetched, for sources whose records have no address', readUrl)
    .option('--verbose', 'list everything rejected, passed over or left out, not only the first hundred of each')
    .action((source: IngestSource, paths: string[], { verbose, ...options }: SourceOptions & { verbose?: true }) =>
      withContext(async (context) => {
        if (verbose) context.report.showAll();
        return ingestPaths(context, { source, paths, options }, print);
      }),
    );

  program
    .command('unmatched')
    .description('list the records that contribute nothing, and why')
    .option('--source <source>', 'only records of this source', readSource)
    .action(({ source }: { source?: Source }) =>
      withContext(async ({ storage }) => {
        let count = 0;
        const list = (reason: string, record: string, at: { file: string; line: number }, names: string) => {
          print(`${reason}\t${record}\t${printable(at.file, MAX_PATH)}:${at.line}${names === '' ? '' : `\t${names}`}`);
          count += 1;
        };
        for await (const { reason, claimed, source: from, sourceRecordId, ...at } of listLeftOut(storage.db, source)) {
          list(reason, `${from}\t${printable(sourceRecordId)}`, at, describeClaim(claimed));
        }
        if (source === undefined || source === 'estat') {
          for await (const { id, ward, nameJa, ...at } of listUnjoined(storage.db)) {
            list('unmatched', `estat\t${printable(recordIdOf(id))}`, at, `names ${printable(nameJa)} in ${ward}`);
          }
        }
        warn(`${count} record${count === 1 ? '' : 's'} contribute${count === 1 ? 's' : ''} nothing`);
        for (const [from, areas] of Object.entries(await countAreaRecords(storage.db))) {
          if (areas === 0 || (source !== undefined && source !== from)) continue;
          warn(`not listed: ${areas} of ${from} (each ${AREA_REASON})`);
        }
        return EXIT.done;
      }),
    );

  program
    .command('republish')
    .description('consolidate again from the stored evidence')
    .option('--all', 'every building, not only those whose evidence changed')
    .action(({ all = false }: { all?: boolean }) =>
      withContext(async (context) => {
        const { consolidated, pages, nearby } = await republish(context, all);
        print(`consolidated ${consolidated}, records written ${pages}, nearby lists written ${nearby}`);
        return EXIT.done;
      }),
    );
}

/** Ingests files of one source, and prints what became of each. */
export async function ingestPaths(
  context: TerminalContext,
  { source, paths, options }: SourcePaths,
  print: Terminal['print'],
): Promise<ExitCode> {
  const started = performance.now();
  const results = await ingest(context, source, paths, options);
  let rejected = 0;
  for (const [file, counts] of results) {
    rejected += counts.rejected;
    const { moved, ...usual } = counts;
    const parts = Object.entries(moved > 0 ? counts : usual).map(([name, count]) => `${name} ${count}`);
    print(`${printable(file, MAX_PATH)}: ${parts.join(', ')}`);
  }
  const passedOver = context.report.passedOver();
  if (passedOver > 0) print(`${passedOver} value${passedOver === 1 ? '' : 's'} passed over`);
  if (results.size > 0) print(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return rejected > 0 || context.report.hasBrokenFile() ? EXIT.failed : EXIT.done;
}

function describeClaim(claimed: Parameters<typeof namesOne>[0]): string {
  if (namesOne(claimed)) return `names ${formatAssetId(claimed)}`;
  return claimed === NAMES_SEVERAL ? 'named for several buildings' : '';
}
