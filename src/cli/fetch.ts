import type { Command } from 'commander';
import {
  canFetch,
  expectedOf,
  FETCH_SOURCES,
  type FetchOutcome,
  type FetchSourceName,
  fetchSource,
} from '../fetch/fetch-source.ts';
import { printable } from '../vocabulary/text.ts';
import { oneOf } from './arguments.ts';
import { ingestPaths } from './ingest.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

/** The most files that are listed one by one. */
const MAX_LISTED = 20;

interface Options {
  into: string;
  ingest?: true;
}

/** `fetch`: the current files of a source, from its publisher. */
export function addFetchCommand(program: Command, { config, print, warn, withContext, exitWith }: Terminal): void {
  program
    .command('fetch')
    .description('download the current files of a source from its publisher')
    .argument('<source>', `what to fetch: ${FETCH_SOURCES.join(', ')}`, oneOf(FETCH_SOURCES))
    .argument('[what]', 'which part of it: a region, box, code or day')
    .option('--into <folder>', 'where the files are kept', 'data/fetched')
    .option('--ingest', 'then ingest them')
    .action(async (source: FetchSourceName, what: string | undefined, options: Options, command: Command) => {
      if (what === undefined || !canFetch(source, what)) {
        command.error(`error: fetch ${source}: expected ${expectedOf(source)}`);
      }
      if (config.fetch.contact === undefined) {
        warn('FETCH_CONTACT is not set; publishers ask for a mail or web address by which they can reach you');
      }
      const now = () => new Date().toISOString();
      const outcome = await fetchSource({
        ...{ source, what, into: options.into, settings: config.fetch, now },
        ...{ print, tell: (line: string) => warn(printable(line, MAX_PATH)) },
      });
      print(`${source} ${what}: ${outcome.state}, cut-off ${outcome.cutOff}`);
      listFiles(outcome, print);
      if (options.ingest !== true) {
        exitWith(EXIT.done);
        return;
      }
      const { files, fetchedAt: retrievedAt } = outcome;
      const paths = files.map(({ path }) => path);
      await withContext((context) => ingestPaths(context, { source, paths, options: { retrievedAt } }, print));
    });
}

function listFiles({ files }: FetchOutcome, print: Terminal['print']): void {
  const fetched = files.filter(({ isNew }) => isNew);
  for (const { path, bytes } of fetched.slice(0, MAX_LISTED)) {
    print(`${printable(path, MAX_PATH)}: ${(bytes / 1e6).toFixed(1)} MB`);
  }
  const rest = fetched.length - MAX_LISTED;
  if (rest > 0) print(`and ${rest} more file${rest === 1 ? '' : 's'}`);
}
