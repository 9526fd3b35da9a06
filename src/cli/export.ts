import { type Command, InvalidArgumentError } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../export/format.ts';
import { asWriter } from '../pipeline/context.ts';
import { printable } from '../vocabulary/text.ts';
import { oneOf } from './arguments.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

interface Options {
  area?: string;
  formats?: ExportFormat[];
  onlyLicence?: 'open';
}

const readFormat = oneOf(EXPORT_FORMATS);
const readLicence = oneOf(['open']);

/** `export`: the registry as files that other programs read (EXP-01). */
export function addExportCommand(program: Command, { print, withContext }: Terminal): void {
  program
    .command('export')
    .description('write the published buildings to files that other programs read, with a manifest')
    .argument('<folder>', 'a folder; it is created if it does not exist')
    .option('--area <slugs>', 'only this area, such as tokyo or tokyo/minato-ku', readArea)
    .option('--formats <list>', `some of ${EXPORT_FORMATS.join(',')}; all if not given`, readFormats)
    .option(
      '--only-licence <licence>',
      'open: leave out every value of a source that may not be passed on',
      readLicence,
    )
    .action((folder: string, { area, formats, onlyLicence }: Options) =>
      withContext((context) =>
        asWriter(context, async () => {
          // Loaded only here: the other commands do not need it.
          const { exportRegistry } = await import('../export/export-registry.ts');
          const options = { area, formats: formats ?? EXPORT_FORMATS, onlyOpen: onlyLicence === 'open' };
          const { cursor, files } = await exportRegistry(context, folder, options);
          for (const { name, count, bytes } of files) print(`${name}: ${count}, ${(bytes / 1e6).toFixed(1)} MB`);
          print(`exported ${files.length} files into ${printable(folder, MAX_PATH)}, cursor ${cursor}`);
          return EXIT.done;
        }),
      ),
    );
}

function readFormats(text: string): ExportFormat[] {
  const given = new Set(text.split(',').map(readFormat));
  return EXPORT_FORMATS.filter((format) => given.has(format));
}

function readArea(text: string): string {
  if (!/^[a-z0-9-]+(?:\/[a-z0-9-]+){0,2}$/.test(text)) {
    throw new InvalidArgumentError('Expected slugs such as tokyo or tokyo/minato-ku.');
  }
  return text;
}
