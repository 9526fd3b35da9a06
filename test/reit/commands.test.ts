import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Dossier, readDossier } from '../../src/reit/life/commands.ts';
import { addEvents } from '../../src/reit/life/store.ts';
import { decideTransition } from '../../src/reit/life/transitions.ts';
import { canonicalJson } from '../../src/reit/publication/canonical-json.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { onBothEngines, onSqlite, type TestDatabase } from '../support/engines.ts';
import { id } from '../support/records.ts';
import { bundleFor, openReitPlace, type ReitPlace } from '../support/reit-place.ts';
import { AT, agreeing, amount, bundleWith, exampleBundle, revision } from './support.ts';

const REIT_TABLES = ['reit_publication', 'reit_event', 'reit_permission', 'reit_active'];
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

onBothEngines('tatemono reit', (fresh) => {
  let database: TestDatabase;
  let place: ReitPlace;
  beforeAll(async () => {
    database = await fresh();
    place = await openReitPlace(database);
  });
  afterAll(() => place.close());
  const kept = async () => {
    const dump = await dumpTables(place.context.storage);
    return REIT_TABLES.map((table) => dump[table]);
  };
  const write = (name: string, text: string) => {
    writeFileSync(join(database.dir, name), text);
    return join(database.dir, name);
  };

  it('compose prints the ID, then one line per finding; the same content gives the same draft', async () => {
    const file = write('example.json', JSON.stringify(exampleBundle()));
    const first = await place.reit('compose', file);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rp_[0-9a-f]{64}\n$/), stderr: '' });
    const before = await kept();
    const { holdings, ...rest } = exampleBundle();
    const shuffled = write('shuffled.json', JSON.stringify({ ...rest, holdings }));
    expect(await place.reit('compose', shuffled)).toEqual(first);
    expect(await kept()).toEqual(before);

    const blocked = write('blocked.json', JSON.stringify(agreeing(amount('5'), amount('6'))));
    const { code, stdout } = await place.reit('compose', blocked);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rp_[0-9a-f]{64}\nconflict \/h1\/p21\/noi\n$/);
    expect((await place.reit('compose', blocked)).stdout).toBe(stdout);
  });

  it.each([
    ['an unknown key', { ...exampleBundle(), extra: 1 }],
    ['a missing key', { ...exampleBundle(), ownership: undefined }],
    ['a wrong type', { ...exampleBundle(), periods: 'p21' }],
    ['a building that does not exist', bundleFor(id(99))],
    ['no building for a holding', { ...exampleBundle(), matches: [] }],
    ['something that is no JSON', '{'],
  ])('compose refuses %s with exit code 1 and stores nothing', async (_, bundle) => {
    const before = await kept();
    const file = write('refused.json', typeof bundle === 'string' ? bundle : JSON.stringify(bundle));
    const { code, stdout, stderr } = await place.reit('compose', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/\S/);
    expect(await kept()).toEqual(before);
  });

  it('REIT-11 check exits with 0 if clean, and with 1 and the findings if blocked', async () => {
    const clean = await place.compose(bundleFor(id(2), 'C-01'));
    expect(await place.stateOf(clean.id)).toBe('draft');
    expect(await place.reit('check', clean.id)).toMatchObject({ code: 0, stdout: 'clean: inReview\n' });
    expect(await place.stateOf(clean.id)).toBe('inReview');
    const blocked = await place.compose(agreeing(amount('5'), amount('6'), amount('6')));
    expect(blocked.findings).toEqual(['conflict /h1/p21/noi']);
    expect(await place.reit('check', blocked.id)).toMatchObject({ code: 1, stdout: 'conflict /h1/p21/noi\n' });
    expect(await place.stateOf(blocked.id)).toBe('blocked');
    const { stdout } = await place.reit('status', blocked.id);
    expect(stdout).toContain('conflict /h1/p21/noi: the sources differ');
  });

  it('REIT-11 an implausible figure blocks drafts, also old ones, but not accepted publications', async () => {
    const inYen = revision('r1', { occupancyRate: amount('98'), operatingDays: amount('-5', { unit: 'day' }) });
    const lines = ['implausible /h1/p21/occupancyRate', 'implausible /h1/p21/operatingDays'];
    const { id: publication, findings } = await place.compose(bundleFor(id(3), 'I-01', { sourceRevisions: [inYen] }));
    expect(findings).toEqual(lines);
    expect(await place.reit('check', publication)).toMatchObject({ code: 1, stdout: `${lines.join('\n')}\n` });
    expect(await place.stateOf(publication)).toBe('blocked');
    expect((await place.reit('status', publication)).stdout).toContain(
      `${lines[0]}: the unit is JPY: state it in ratio`,
    );

    // Accepted as by a version without these findings.
    const { storage } = place.context;
    await storage.transaction(async (tx) => {
      const dossier = (await readDossier(tx, publication)) as Dossier;
      const facts = { ...dossier.facts, findings: [] };
      const review = { type: 'review', verdict: 'pass', by: 'alice', note: 'x', at: AT } as const;
      for (const asked of [
        { ...review, review: 'data' },
        { ...review, review: 'match' },
      ] as const) {
        const decided = decideTransition(dossier.events, asked, facts);
        if (decided.ok) await addEvents(tx, dossier, decided.value.events);
      }
      await addEvents(tx, dossier, [{ type: 'activated', by: 'bob', at: AT }]);
    });
    expect(await place.stateOf(publication)).toBe('accepted');
    expect(await place.reit('check', publication)).toMatchObject({ code: 0, stdout: `${lines.join('\n')}\n` });
    expect(await place.reit('review', 'match', publication, '--pass', '--by', 'a', '--note', 'x')).toMatchObject({
      code: 0,
    });
    expect(await place.reit('withdraw', publication, '--by', 'd', '--reason', 'x')).toMatchObject({ code: 0 });
  });

  it('REIT-09 a code in the other width or case is the same property', async () => {
    const first = await place.compose(bundleFor(id(3), 'W-07'));
    const second = await place.compose(bundleFor(id(3), 'ｗ－０７'));
    await place.accept(first.id);
    await place.accept(second.id);
    expect([await place.stateOf(first.id), await place.stateOf(second.id)]).toEqual(['withdrawn', 'accepted']);
    expect(await place.served('rest-json', id(3))).toEqual([second.id]);
    await place.reit('withdraw', second.id, '--by', 'd', '--reason', 'x');
  });

  it('show prints {id, computedAt, document} and nothing else, in every state', async () => {
    const { id: publication } = await place.compose(bundleFor(id(2), 'S-01'));
    const texts = new Set<string>();
    const look = async () => {
      const { code, stdout, stderr } = await place.reit('show', publication);
      expect([code, stderr]).toEqual([0, '']);
      const shown = JSON.parse(stdout);
      expect(Object.keys(shown)).toEqual(['id', 'computedAt', 'document']);
      expect(`rp_${createHash('sha256').update(canonicalJson(shown.document)).digest('hex')}`).toBe(publication);
      texts.add(stdout);
    };
    await look();
    await place.reit('check', publication);
    await look();
    await place.accept(publication);
    await look();
    await place.reit('withdraw', publication, '--by', 'dave', '--reason', '誤り');
    await look();
    expect(texts.size).toBe(1);
  });

  it('a refusal exits with 1 and changes nothing', async () => {
    const { id: draft } = await place.compose(bundleFor(id(2), 'R-01'));
    const { id: blocked } = await place.compose(agreeing(amount('5'), amount('7')));
    const unknown = `rp_${'0'.repeat(64)}`;
    const before = await kept();
    const by = ['--by', 'alice'];
    for (const args of [
      ['check', unknown],
      ['show', unknown],
      ['status', 'rp_nothing'],
      ['diff', unknown],
      ['diff', draft, unknown],
      ['activate', draft, ...by],
      ['activate', unknown, ...by],
      ['withdraw', draft, ...by, '--reason', 'x'],
      ['review', 'data', blocked, '--pass', ...by, '--note', 'x'],
      ['review', 'data', draft, '--pass', '--by', ' ', '--note', 'x'],
      ['review', 'data', draft, '--pass', ...by, '--note', ''],
      ['permit', 'allow', '--source', 'dnk', '--surface', 'all', '--basis', 'x', ...by],
      ['permit', 'allow', '--source', 'edinet', '--surface', 'all', '--basis', ' ', ...by],
    ]) {
      expect(await place.reit(...args), args.join(' ')).toMatchObject({ code: 1, stdout: '' });
    }
    expect(await kept()).toEqual(before);
  });

  it('REIT-09 a person who passed a review may not activate', async () => {
    const { id: publication } = await place.compose(bundleFor(id(2), 'W-01'));
    await place.reit('review', 'data', publication, '--pass', '--by', 'alice', '--note', 'x');
    await place.reit('review', 'match', publication, '--pass', '--by', 'bob', '--note', 'x');
    for (const by of ['alice', 'BOB']) {
      expect(await place.reit('activate', publication, '--by', by)).toMatchObject({ code: 1 });
      expect(await place.stateOf(publication)).toBe('reviewed');
    }
    expect(await place.reit('activate', publication, '--by', 'carol')).toMatchObject({ code: 0 });
  });

  it('diff compares with the active publication of the property, or with a named one', async () => {
    const said = (text: string) => bundleWith([revision('r1', { noi: amount(text) })]);
    const old = await place.compose({ ...said('57'), matches: bundleFor(id(3)).matches });
    const now = await place.compose({ ...said('58'), matches: bundleFor(id(3)).matches });
    expect((await place.reit('diff', now.id)).stdout).toContain('everything is new');
    await place.accept(old.id);
    const { code, stdout } = await place.reit('diff', now.id);
    expect(code).toBe(0);
    expect(stdout).toContain(`compared with ${old.id}`);
    expect(stdout).toContain('changed /agreement/h1/p21/noi: 57 JPY (singleSource) → 58 JPY (singleSource)');
    expect((await place.reit('diff', old.id, now.id)).stdout).toContain('58 JPY (singleSource) → 57 JPY');
    expect((await place.reit('diff', now.id, now.id)).stdout).toBe('no differences\n');
    const activated = await place.reit('review', 'data', now.id, '--pass', '--by', 'alice', '--note', 'x');
    expect(activated.code).toBe(0);
    await place.reit('review', 'match', now.id, '--pass', '--by', 'alice', '--note', 'x');
    expect((await place.reit('activate', now.id, '--by', 'bob')).stdout).toContain(`withdrawn: ${old.id}`);
    expect([await place.stateOf(old.id), await place.stateOf(now.id)]).toEqual(['withdrawn', 'accepted']);
  });

  it('show --table lists every cell with its citation, status every event with name and reason', async () => {
    const { id: publication } = await place.compose(bundleFor(id(2), 'T-01'));
    await place.accept(publication);
    const { stdout: table } = await place.reit('show', publication, '--table');
    expect(table).toContain('57000000 JPY (scale 6, decimals -6, truncate), https://e.example/r1 表3');
    expect(table).toContain('a 1/2 quasi-co-ownership, not the whole building');
    expect(table).toContain('notDisclosed (counterpartyConsent)');
    expect(table).toContain('trustee 見本信託銀行');
    const { stdout: status } = await place.reit('status', publication);
    expect(status).toMatch(/^state +accepted\n/);
    for (const line of ['data review: pass by alice: 原本と照合', 'activated by bob', 'edinet: allowed on rest-json']) {
      expect(status).toContain(line);
    }
  });

  it('text of a bundle never reaches the terminal unescaped', async () => {
    const evil = '\x1b]0;owned\x07\x1b[31m\u202e\x9b31m\nfalse line';
    const example = exampleBundle();
    const { id: publication } = await place.compose({
      ...example,
      issuer: { id: 'evil', nameJa: evil, edinetCode: evil },
      holdings: example.holdings.map((holding) => ({ ...holding, nameJa: evil, propertyCode: evil })),
      ownership: example.ownership.map((row) => ({ ...row, trustee: evil })),
    });
    await place.reit('review', 'data', publication, '--reject', '--by', evil, '--note', evil);
    for (const args of [['show'], ['show', '--table'], ['status'], ['check'], ['diff']] as const) {
      const { stdout, stderr } = await place.reit(args[0], publication, ...args.slice(1));
      expect(stdout + stderr, args.join(' ')).not.toMatch(RAW);
      expect(stdout).not.toMatch(/^false line/m);
    }
    expect((await place.show(publication)).document.issuer.nameJa).toBe(evil);
  });
});

onSqlite('wrong usage of tatemono reit', (fresh) => {
  it.each([
    [[]],
    [['nonsense']],
    [['compose']],
    [['check']],
    [['activate', 'rp_1']],
    [['withdraw', 'rp_1', '--by', 'a']],
    [['review', 'data', 'rp_1', '--by', 'a', '--note', 'b']],
    [['review', 'data', 'rp_1', '--pass', '--reject', '--by', 'a', '--note', 'b']],
    [['review', 'price', 'rp_1', '--pass', '--by', 'a', '--note', 'b']],
    [['permit', 'maybe', '--source', 'edinet', '--surface', 'all', '--basis', 'x', '--by', 'a']],
    [['permit', 'allow', '--source', 'edinet', '--surface', 'paper', '--basis', 'x', '--by', 'a']],
    [['permit', 'allow', '--source', 'nobody', '--surface', 'all', '--basis', 'x', '--by', 'a']],
    [['permit', 'allow', '--source', 'edinet', '--surface', 'all', '--by', 'a']],
  ])('%j exits with 2', async (args) => {
    const place = await openReitPlace(await fresh());
    expect((await place.reit(...args)).code).toBe(2);
    await place.close();
  });
});
