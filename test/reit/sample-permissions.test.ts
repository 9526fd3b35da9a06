import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { applyCommand, composeDraft } from '../../src/reit/life/commands.ts';
import { allowedSurfaces, PERMITTED_SURFACES, type Permission } from '../../src/reit/life/permissions.ts';
import { addPermission, readPermissions } from '../../src/reit/life/store.ts';
import { backUp } from '../../src/storage/backup.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, openContext, type TestDatabase } from '../support/engines.ts';
import { id } from '../support/records.ts';
import { bundleFor, openReitPlace, type ReitPlace } from '../support/reit-place.ts';
import { bundleOf, draftOf, exampleBundle } from './support.ts';

const LOADED = '2026-01-01T00:00:00.500Z';
const MIGRATION = '0012-sample-permissions';
const row = (changes: Partial<Permission>): Permission => ({
  subject: { source: 'edinet' },
  surface: 'all',
  verdict: 'allow',
  basis: 'made up for the sample',
  by: 'sample',
  at: '2026-01-01T00:00:00.000Z',
  ...changes,
});
/** The permissions that earlier samples added. */
const OF_SAMPLE = [row({}), row({ subject: { source: 'jreit' }, at: LOADED })];
/** Permissions of operators that resemble them, some of which differ only in their time. */
const BEFORE = row({ by: 'carol', verdict: 'deny', at: '2025-12-31T00:00:00.000Z' });
const AFTER = [
  row({ surface: 'csv', verdict: 'deny', by: 'carol', basis: '利用規約', at: '2026-01-02T00:00:00.000Z' }),
  row({ subject: { source: 'jreit' }, at: '2026-01-02T00:00:00.001Z' }),
  row({ subject: { source: 'jreit' }, basis: 'made up', at: '2026-01-02T00:00:00.002Z' }),
  row({ subject: { source: 'jreit' }, by: 'Sample', at: '2026-01-02T00:00:00.003Z' }),
  row({ subject: { source: 'plateau' }, at: '2026-01-02T00:00:00.004Z' }),
];

/** A database of an earlier version, in which the sample's permissions exposed an operator's publication. */
async function openOld(database: TestDatabase): Promise<{ place: ReitPlace; sample: string; other: string }> {
  const place = await openReitPlace(database);
  const { storage } = place.context;
  const issuer = { id: 'sample-office-reit', nameJa: '見本オフィス投資法人', edinetCode: 'E99901' };
  const [sample = '', other = ''] = await storage.transaction(async (tx) => {
    for (const permission of [BEFORE, ...OF_SAMPLE]) await addPermission(tx, permission);
    const ids: string[] = [];
    for (const [bundle, reviewer, at] of [
      [bundleFor(id(1), 'O-01', { issuer }), 'sample reviewer', LOADED],
      [bundleFor(id(1), 'O-02', { issuer }), 'sample reviewer', '2026-01-03T00:00:00.000Z'],
    ] as const) {
      const draft = await composeDraft(tx, bundleOf(bundle), at);
      if (!draft.ok) throw new Error(JSON.stringify(draft.failure));
      // A later reviewer with the name of the sample is not the sample.
      const reviewedAt = at === LOADED ? at : '2026-01-03T00:00:00.001Z';
      const review = {
        type: 'review',
        verdict: 'pass',
        by: reviewer,
        note: 'a fictional filing',
        at: reviewedAt,
      } as const;
      const publication = draft.value.id;
      for (const step of [
        { ...review, review: 'data' },
        { ...review, review: 'match' },
        { type: 'activate', id: publication, by: 'sample operator', at: reviewedAt, predecessors: [] },
      ] as const) {
        const done = await applyCommand(tx, publication, () => step);
        if (!done.ok) throw new Error(done.failure.reason);
      }
      ids.push(publication);
    }
    for (const permission of AFTER) await addPermission(tx, permission);
    await sql`delete from migration where name = ${MIGRATION}`.execute(tx.db);
    return ids;
  });
  expect((await place.served('rest-json')).sort()).toEqual([sample, other].sort());
  return { place, sample, other };
}

const narrowed = (sample: string) => [BEFORE, row({ subject: { publicationId: sample } }), ...AFTER];
const SAID =
  /^migration 0012-sample-permissions: 2 permissions of the bundled sample are withdrawn.*own 1 publications.*reit permit allow --source/m;

onBothEngines('a database in which the sample permitted whole sources', (fresh) => {
  it('REIT-04 loses those permissions, reports it once, and keeps the sample and permissions of operators', async () => {
    const { place, sample, other } = await openOld(await fresh());
    const { storage } = place.context;
    const first = await runHere(place.env, 'reit', 'status', sample);
    expect(first.stderr).toMatch(SAID);
    expect(first.stdout).toContain('served on        rest-json, jsonld, mcp, page, markdown\n');
    expect(await storage.snapshot(readPermissions)).toEqual(narrowed(sample));
    expect((await runHere(place.env, 'status')).stderr).toBe('');
    for (const surface of PERMITTED_SURFACES) {
      expect(await place.served(surface), surface).toEqual(surface === 'csv' ? [] : [sample]);
    }
    expect(await place.stateOf(other)).toBe('accepted');
    const asked = ['permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', 'x', '--by', 'carol'];
    expect(await place.reit(...asked)).toMatchObject({ code: 0 });
    expect((await place.served('csv')).sort()).toEqual([sample, other].sort());
    await place.close();
  });

  it('REIT-04 a backup of it loses them when restored', async () => {
    const database = await fresh();
    const url = `file:${join(database.dir, 'old.db')}`;
    const { place, sample } = await openOld({ engine: 'sqlite', dir: database.dir, url });
    const file = join(database.dir, 'old-backup.db');
    await backUp(place.context.storage, file);
    await place.close();
    const { stderr } = await runHere({ ...place.env, DATABASE_URL: database.url }, 'restore', file);
    expect(stderr).toMatch(SAID);
    const context = await openContext(database);
    expect(await context.storage.snapshot(readPermissions)).toEqual(narrowed(sample));
    await context.storage.close();
  });
});

describe('a permission of one publication', () => {
  const { id: publication, document } = draftOf(exampleBundle());
  const own = row({ subject: { publicationId: publication } });

  it('REIT-04 permits no other publication of the same issuer, lineages and sources', () => {
    expect(allowedSurfaces(document, [own], publication)).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(document, [own], `rp_${'0'.repeat(64)}`)).toEqual([]);
    expect(allowedSurfaces(document, [own])).toEqual([]);
  });

  it('REIT-04 takes precedence over those of its sources, but a later denial of a source overrides it', () => {
    const deny = row({ verdict: 'deny' });
    const lineage = row({ subject: { issuerId: 'reit-a', lineageId: 'l1' }, verdict: 'deny' });
    for (const earlier of [deny, lineage]) {
      expect(allowedSurfaces(document, [earlier, own], publication)).toEqual([...PERMITTED_SURFACES]);
      expect(allowedSurfaces(document, [own, earlier], publication)).toEqual([]);
    }
    expect(allowedSurfaces(document, [own, { ...deny, surface: 'csv' }], publication)).not.toContain('csv');
    expect(allowedSurfaces(document, [row({}), { ...own, verdict: 'deny' }], publication)).toEqual([]);
  });
});
