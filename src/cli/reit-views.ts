import type { Command } from 'commander';
import type { Context } from '../pipeline/context.ts';
import { type Dossier, readDossier, UNKNOWN_PUBLICATION } from '../reit/life/commands.ts';
import { readPublication } from '../reit/life/reit.ts';
import { findPublications, listPublicationIds, readDocument } from '../reit/life/store.ts';
import type { Document } from '../reit/publication/document.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { describeDiff, describeInList, describeStatus, describeTable } from './describe-publication.ts';

export interface ReitTerminal {
  print(line: string): void;
  tell(line: string): void;
  withContext(work: (context: Context) => Promise<number | undefined>): Promise<void>;
}

const DONE = 0;

/** The commands that only look. */
export function addReitViews(reit: Command, { print, withContext }: ReitTerminal): void {
  const read = (id: string, work: (dossier: Dossier, context: Context) => Promise<void> | void) =>
    withContext(async (context) => {
      const dossier = await context.storage.snapshot((reads) => readDossier(reads, id));
      if (dossier === undefined) throw new FailureError(UNKNOWN_PUBLICATION);
      await work(dossier, context);
      return DONE;
    });

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
        for (const id of await storage.snapshot(listPublicationIds)) {
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
        if (before === undefined) throw new FailureError(UNKNOWN_PUBLICATION);
        const lines = describeDiff(before, document);
        if (other === undefined) print(`against ${against}`);
        for (const line of lines) print(line);
        if (lines.length === 0) print('nothing differs');
      }),
    );
}

/** The same JSON, with what moves a cursor or turns text around as escapes. */
function inertJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (text) =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
