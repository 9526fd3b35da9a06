import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * REIT-04: the bundled sample used to permit all of edinet and jreit on every surface, whatever was activated later. Its
 * rows give way to rows that name its own publications. They are removed, not denied: a denial would come after what
 * operators have permitted since, and overrule it. Rows are read in their order, so that the new ones stand where
 * the old ones stood, and what operators decided later still comes later.
 */
export const samplePermissions: Migration = {
  name: '0012-sample-permissions',
  async up(db, _engine, tell) {
    const own = await samplePublications(db);
    const rows = await sql<{ body: string }>`select body from reit_permission order by id`.execute(db);
    const kept = rows.rows.map(({ body }) => body);
    const withdrawn = kept.filter((body) => isOfSample(JSON.parse(body), own[0]?.computedAt));
    const [first] = withdrawn;
    if (first === undefined) return;
    const { basis, by, at } = JSON.parse(first) as Row;
    const narrow = own.map(({ id }) =>
      JSON.stringify({ subject: { publicationId: id }, surface: 'all', verdict: 'allow', basis, by, at }),
    );
    await sql`delete from reit_permission`.execute(db);
    for (const body of kept.flatMap((each) => (each === first ? narrow : withdrawn.includes(each) ? [] : [each]))) {
      await sql`insert into reit_permission (body) values (${body})`.execute(db);
    }
    tell?.(
      `${withdrawn.length} permissions of the bundled sample are withdrawn: they let every publication of edinet and jreit ` +
        `be served. The sample's own ${own.length} publications are permitted by their ids instead. To permit a source: ` +
        'tatemono reit permit allow --source edinet --surface all --basis TEXT --by NAME',
    );
  },
};

interface Row {
  subject: Record<string, unknown>;
  surface: unknown;
  verdict: unknown;
  basis: unknown;
  by: unknown;
  at: string;
}

/**
 * The sample was loaded in one transaction: permissions first, then its publications. A row in the same words that is
 * younger than the first of those was made by `reit permit`, and stays.
 */
function isOfSample({ subject, surface, verdict, basis, by, at }: Row, loadedAt: string | undefined): boolean {
  const isSourceWide = subject.source === 'edinet' || subject.source === 'jreit';
  if (!isSourceWide || surface !== 'all' || verdict !== 'allow') return false;
  return by === 'sample' && basis === 'made up for the sample' && (loadedAt === undefined || at <= loadedAt);
}

/** Those that the sample reviewed, the first composed first: review and composition bear one time, as no command's do. */
async function samplePublications(db: Kysely<unknown>): Promise<{ id: string; computedAt: string }[]> {
  const { rows } = await sql<{ id: string; computedAt: string; body: string }>`
    select reit_publication.id as "id", computed_at as "computedAt", body
    from reit_publication join reit_event on reit_event.publication = reit_publication.id
    where issuer in ('sample-office-reit', 'sample-retail-reit')
    order by computed_at, reit_publication.id`.execute(db);
  const reviewed = rows.filter(({ computedAt, body }) => {
    const { type, by, note, at } = JSON.parse(body) as Record<string, unknown>;
    return type === 'reviewed' && by === 'sample reviewer' && note === 'a fictional filing' && at === computedAt;
  });
  return [...new Map(reviewed.map(({ id, computedAt }) => [id, { id, computedAt }])).values()];
}
