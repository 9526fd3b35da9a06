import type { Command } from 'commander';
import type { Context } from '../pipeline/context.ts';
import { type Dossier, readDossier, UNKNOWN_PUBLICATION } from '../reit/life/commands.ts';
import { readPublication } from '../reit/life/reit.ts';
import { findPublications, listPublicationIds, readDocument } from '../reit/life/store.ts';
import type { Document } from '../reit/publication/document.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { describeDiff, describeInList, describeStatus, describeTable } from './describe-publication.ts';
import { EXIT, type Terminal } from './terminal.ts';

export const PUBLICATION_ID = 'the ID of the publication, as compose prints it';

/** `reit show`, `list`, `status`, `diff`: the commands that only read. */
export function addReitViews(reit: Command, { print, withContext }: Terminal): void {
  const read = (id: string, work: (dossier: Dossier, context: Context) => Promise<void> | void) =>
    withContext(async (context) => {
      const dossier = await context.storage.snapshot((reads) => readDossier(reads, id));
      if (dossier === undefined) throw new FailureError(UNKNOWN_PUBLICATION);
      await work(dossier, context);
      return EXIT.done;
    });

  reit
    .command('show')
    .description('print {id, computedAt, document} as JSON, whatever its state')
    .argument('<id>', PUBLICATION_ID)
    .option('--table', 'a table for reading: every cell with its source and citation')
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
    .description('list all publications: state, ID, issuer, property codes, buildings')
    .action(() =>
      withContext(async ({ storage }) => {
        for (const id of await storage.snapshot(listPublicationIds)) {
          const dossier = await storage.snapshot((reads) => readDossier(reads, id));
          if (dossier !== undefined) print(describeInList(dossier));
        }
        return EXIT.done;
      }),
    );

  reit
    .command('status')
    .description('show its state, checks, permissions, findings with advice, and history')
    .argument('<id>', PUBLICATION_ID)
    .action((id: string) => read(id, (dossier) => describeStatus(dossier).forEach(print)));

  reit
    .command('diff')
    .description('compare it with another publication, or with the active one of its property')
    .argument('<id>', PUBLICATION_ID)
    .argument('[other]', 'the ID of another publication')
    .action((id: string, other?: string) =>
      read(id, async ({ document, predecessors }, { storage }) => {
        const against = other ?? predecessors[0]?.id;
        if (against === undefined) return print('this property has no active publication: everything is new');
        const before = await storage.snapshot(async (reads): Promise<Document | undefined> => {
          const [kept] = await findPublications(reads, [against]);
          const body = await readDocument(reads, against);
          return kept && body && readPublication({ ...kept, body }).document;
        });
        if (before === undefined) throw new FailureError(UNKNOWN_PUBLICATION);
        const lines = describeDiff(before, document);
        if (other === undefined) print(`compared with ${against}`);
        for (const line of lines) print(line);
        if (lines.length === 0) print('no differences');
      }),
    );
}

/** The same JSON, with control and formatting characters as escapes, so that a terminal only shows them. */
function inertJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (text) =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
