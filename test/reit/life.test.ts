import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePermission } from '../../src/reit/life/commands.ts';
import {
  allowedSurfaces,
  PERMITTED_SURFACES,
  type Permission,
  type PermittedSurface,
} from '../../src/reit/life/permissions.ts';
import {
  type LifeEvent,
  latestHeads,
  type PublicationFacts,
  statusOf,
} from '../../src/reit/life/publication-status.ts';
import { decideTransition, isSameProperty, type LifeCommand, recheckEvents } from '../../src/reit/life/transitions.ts';
import {
  AT,
  agreeing,
  amount,
  anchorMap,
  anchors,
  BUILDING,
  bundleWith,
  documentOf,
  draftOf,
  exampleBundle,
  revision,
} from './support.ts';

const clean = draftOf(exampleBundle());
const row = (verdict: 'allow' | 'deny', surface: PermittedSurface | 'all' = 'all', source = 'edinet'): Permission => {
  const asked = makePermission({ verdict, source, surface, basis: '公開情報', by: 'carol', at: AT });
  if (!asked.ok) throw new Error(asked.failure.reason);
  return asked.value;
};
const factsOf = (changes: Partial<PublicationFacts> = {}, draft = clean): PublicationFacts => ({
  publicationId: draft.id,
  document: draft.document,
  findings: draft.findings,
  heads: new Map(),
  anchors: anchorMap(anchors()),
  permissions: [row('allow')],
  ...changes,
});

const check: LifeCommand = { type: 'check', at: AT };
const review = (kind: 'data' | 'match', by = 'alice', verdict: 'pass' | 'reject' = 'pass'): LifeCommand => ({
  type: 'review',
  review: kind,
  verdict,
  by,
  note: '原本と照合',
  at: AT,
});
const activate = (by = 'bob', predecessors: string[] = []): LifeCommand => ({
  type: 'activate',
  id: clean.id,
  by,
  at: AT,
  predecessors,
});
const withdraw = (reason = '誤り'): LifeCommand => ({ type: 'withdraw', by: 'dave', reason, at: AT });

/** The life after these commands; each must be allowed. */
function live(commands: readonly LifeCommand[], facts = factsOf()): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const command of commands) {
    const decided = decideTransition(events, command, facts);
    if (!decided.ok) throw new Error(`${command.type}: ${decided.failure.reason}`);
    events.push(...decided.value.events);
  }
  return events;
}
const refusalOf = (events: LifeEvent[], command: LifeCommand, facts = factsOf()) => {
  const decided = decideTransition(events, command, facts);
  return decided.ok ? undefined : decided.failure.reason;
};
const REVIEWED = [check, review('data'), review('match')];
const ACCEPTED = [...REVIEWED, activate()];

describe('the life of a publication', () => {
  it('REIT-09 goes from draft through review to accepted, and is served from then on', () => {
    const states = ACCEPTED.map((_, i) => statusOf(live(ACCEPTED.slice(0, i)), factsOf()).state);
    expect(states).toEqual(['draft', 'inReview', 'inReview', 'reviewed']);
    for (let i = 0; i < ACCEPTED.length; i++) {
      expect(statusOf(live(ACCEPTED.slice(0, i)), factsOf()).served).toEqual([]);
    }
    expect(statusOf(live(ACCEPTED), factsOf())).toMatchObject({ state: 'accepted', served: [...PERMITTED_SURFACES] });
  });

  it('REIT-09 a review includes the check', () => {
    expect(statusOf(live([review('match'), review('data'), activate()]), factsOf()).state).toBe('accepted');
  });

  it('REIT-09 only activation publishes: reviews and permission alone do not', () => {
    expect(statusOf(live(REVIEWED), factsOf())).toMatchObject({ state: 'reviewed', served: [] });
  });

  it('REIT-11 findings block review and activation', () => {
    const blocked = draftOf(agreeing(amount('5'), amount('6')));
    const facts = factsOf({}, blocked);
    expect(statusOf(live([check], facts), facts).state).toBe('blocked');
    for (const command of [review('data'), review('match'), activate(), withdraw()]) {
      expect(refusalOf(live([check], facts), command, facts)).toBeDefined();
    }
  });

  it.each([
    ['nothing', []],
    ['the check', [check]],
    ['the data review', [check, review('data')]],
    ['the match review', [check, review('match')]],
    ['a rejected data review', [check, review('data'), review('match'), review('data', 'eve', 'reject')]],
    ['a rejected match review', [check, review('data'), review('match'), review('match', 'eve', 'reject')]],
  ] as [string, LifeCommand[]][])('REIT-09 with %s alone it cannot be activated', (_, commands) => {
    expect(refusalOf(live(commands), activate())).toBeDefined();
  });

  it('REIT-09 a rejected review can be passed later', () => {
    const commands = [check, review('data', 'eve', 'reject'), review('match'), review('data'), activate()];
    expect(statusOf(live(commands), factsOf()).state).toBe('accepted');
  });

  it('REIT-09 a person who passed a review may not activate, however the name is written', () => {
    for (const by of ['alice', ' Alice ', 'ＡＬＩＣＥ']) {
      expect(refusalOf(live(REVIEWED), activate(by))).toContain('may not activate');
    }
    const two = live([check, review('data', 'alice'), review('match', 'mallory')]);
    expect(refusalOf(two, activate('mallory'))).toContain('may not activate');
    const again = live([check, review('data', 'alice'), review('match', 'carol'), review('data', 'eve')]);
    expect(refusalOf(again, activate('alice'))).toContain('may not activate');
    const rejected = live([check, review('data', 'bob', 'reject'), review('data'), review('match')]);
    expect(refusalOf(rejected, activate('bob'))).toBeUndefined();
  });

  it('REIT-09 every command needs a name and a reason', () => {
    expect(refusalOf([], { ...review('data'), by: ' ' } as LifeCommand)).toBeDefined();
    expect(refusalOf([], { ...review('data'), note: '' } as LifeCommand)).toBeDefined();
    expect(refusalOf(live(REVIEWED), activate(''))).toBeDefined();
    expect(refusalOf(live(ACCEPTED), withdraw(' '))).toContain('reason');
    expect(refusalOf(live(ACCEPTED), { ...withdraw(), by: '' } as LifeCommand)).toBeDefined();
  });

  it('REIT-10 a withdrawal is final', () => {
    const events = live([...ACCEPTED, withdraw()]);
    expect(statusOf(events, factsOf())).toMatchObject({ state: 'withdrawn', served: [] });
    for (const command of [review('data'), review('match'), activate(), withdraw()]) {
      expect(refusalOf(events, command)).toBeDefined();
    }
    expect(refusalOf(live(REVIEWED), withdraw())).toBeDefined();
    expect(refusalOf(live(ACCEPTED), activate())).toContain('already');
  });

  it('REIT-09 activation withdraws the previous publication of the property', () => {
    const decided = decideTransition(live(REVIEWED), activate('bob', ['rp_old', clean.id]), factsOf());
    expect(decided).toEqual({
      ok: true,
      value: {
        events: [{ type: 'activated', by: 'bob', at: AT }],
        others: [{ id: 'rp_old', event: { type: 'withdrawn', by: 'bob', reason: `replaced by ${clean.id}`, at: AT } }],
      },
    });
    const other = documentOf(exampleBundle({ issuer: { id: 'reit-b', nameJa: '別', edinetCode: 'E1' } }));
    const second = documentOf(
      exampleBundle({ holdings: exampleBundle().holdings.map((h) => ({ ...h, propertyCode: 'A-02' })) }),
    );
    expect(isSameProperty(clean.document, documentOf(exampleBundle({ transactions: [] })))).toBe(true);
    expect(isSameProperty(clean.document, other)).toBe(false);
    expect(isSameProperty(clean.document, second)).toBe(false);
    for (const propertyCode of ['Ａ-01', 'Ａ－０１', 'a-01', ' A-01 ']) {
      const coded = exampleBundle({ holdings: exampleBundle().holdings.map((h) => ({ ...h, propertyCode })) });
      expect(isSameProperty(clean.document, documentOf(coded)), propertyCode).toBe(true);
    }
  });
});

describe('what a review covers', () => {
  const corrected = documentOf(
    exampleBundle({
      sourceRevisions: [
        revision('r1', { noi: amount('57') }, { lineageId: 'l1' }),
        revision('r2', { noi: amount('58') }, { lineageId: 'l1', supersedes: 'r1' }),
      ],
    }),
  );

  it('REIT-09 a corrected head makes the data review pending, until it is done again', () => {
    const events = live(REVIEWED);
    const facts = factsOf({ heads: latestHeads(clean.document, [clean.document, corrected]) });
    expect(statusOf(events, facts)).toMatchObject({ state: 'inReview', data: 'pending', match: 'passed' });
    expect(refusalOf(events, activate(), facts)).toContain('data review pending');
    const again = decideTransition(events, review('data'), facts);
    expect(again.ok && statusOf([...events, ...again.value.events], facts).state).toBe('reviewed');
  });

  it('REIT-09 documents without a correction, and those of other issuers, change nothing', () => {
    const own = latestHeads(clean.document, []);
    const unrelated = documentOf(
      exampleBundle({
        sourceRevisions: [revision('r7', { noi: amount('1') }, { lineageId: 'l1' })],
        transactions: [],
        ownership: [],
      }),
    );
    const others = { ...corrected, issuer: { ...corrected.issuer, id: 'reit-b' } };
    expect(latestHeads(clean.document, [clean.document, unrelated, others])).toEqual(own);
    expect(latestHeads(clean.document, [corrected])).toEqual(new Map([['l1', 'r2']]));
  });

  it('REIT-10 a correction does not change an accepted publication', () => {
    const facts = factsOf({ heads: latestHeads(clean.document, [corrected]) });
    expect(statusOf(live(ACCEPTED), facts).state).toBe('accepted');
  });

  it('REIT-09 changed anchors make the match review pending before activation', () => {
    const facts = factsOf({ anchors: anchorMap(anchors({ floorsAbove: 3 })) });
    expect(statusOf(live(REVIEWED), facts)).toMatchObject({ state: 'inReview', match: 'pending' });
    expect(refusalOf(live(REVIEWED), activate(), facts)).toContain('match review pending');
  });

  it('REIT-10 changed anchors suspend an accepted publication on every surface until the match is reviewed again', () => {
    const facts = factsOf({ anchors: anchorMap(anchors({ footprintHash: 'sha256:x' })) });
    const events = live(ACCEPTED);
    expect(statusOf(events, facts)).toMatchObject({ state: 'suspended', served: [] });
    expect(refusalOf(events, activate('eve'), facts)).toContain('suspended');
    const kept = [...events, ...recheckEvents(events, facts, AT)];
    expect(kept.at(-1)).toMatchObject({ type: 'suspended' });
    expect(recheckEvents(kept, facts, AT)).toEqual([]);
    // Even if the anchors change back, the match must be reviewed again.
    expect(statusOf(kept, factsOf())).toMatchObject({ state: 'suspended', served: [] });
    for (const now of [facts, factsOf()]) {
      const again = decideTransition(kept, review('match'), now);
      expect(again.ok && statusOf([...kept, ...again.value.events], now)).toMatchObject({
        state: 'accepted',
        served: [...PERMITTED_SURFACES],
      });
    }
    const data = decideTransition(kept, review('data'), facts);
    expect(data.ok && statusOf([...kept, ...data.value.events], facts).state).toBe('suspended');
  });

  it('REIT-10 findings of a later version do not affect accepted publications, and suspended ones can return', () => {
    const findings = [{ kind: 'implausible' as const, path: '/h1/p21/noi', remedy: 'x' }];
    const events = live(ACCEPTED);
    expect(statusOf(events, factsOf({ findings }))).toMatchObject({
      state: 'accepted',
      served: [...PERMITTED_SURFACES],
    });
    expect(statusOf(live(REVIEWED), factsOf({ findings })).state).toBe('blocked');
    const facts = factsOf({ findings, anchors: anchorMap(anchors({ footprintHash: 'sha256:x' })) });
    expect(statusOf(events, facts).state).toBe('suspended');
    const again = decideTransition(events, review('match'), facts);
    expect(again.ok && statusOf([...events, ...again.value.events], facts).state).toBe('accepted');
    expect(refusalOf(live(REVIEWED), review('match'), facts)).toContain('findings block it');
  });

  it('REIT-10 a rejected match withdraws it', () => {
    const facts = factsOf({ anchors: anchorMap(anchors({ footprintHash: 'sha256:x' })) });
    const rejected = live([...ACCEPTED, review('match', 'eve', 'reject')], factsOf());
    expect(statusOf(rejected, factsOf())).toMatchObject({ state: 'withdrawn', served: [] });
    const decided = decideTransition(live(ACCEPTED), review('match', 'eve', 'reject'), facts);
    expect(decided.ok && decided.value.events.map(({ type }) => type)).toEqual(['reviewed', 'withdrawn']);
  });

  it.each(['merged', 'retired'] as const)('REIT-10 a building that is %s withdraws it permanently', (lifecycle) => {
    const facts = factsOf({ anchors: anchorMap(anchors({ lifecycle })) });
    const events = live(ACCEPTED);
    expect(statusOf(events, facts)).toMatchObject({ state: 'withdrawn', served: [] });
    const kept = [...events, ...recheckEvents(events, facts, AT)];
    expect(kept.at(-1)).toMatchObject({ type: 'withdrawn', by: 'registry', reason: `${BUILDING} is ${lifecycle}` });
    expect(statusOf(kept, factsOf()).state).toBe('withdrawn');
    expect(refusalOf(live([check]), review('match'), facts)).toContain('no longer live');
  });

  it('REIT-10 unknown means not served: an unreadable building suspends it without an event', () => {
    const facts = factsOf({ anchors: new Map() });
    expect(statusOf(live(ACCEPTED), facts)).toMatchObject({ state: 'suspended', served: [] });
    expect(recheckEvents(live(ACCEPTED), facts, AT)).toEqual([]);
    expect(recheckEvents(live(ACCEPTED), factsOf(), AT)).toEqual([]);
    expect(recheckEvents(live(REVIEWED), facts, AT)).toEqual([]);
  });
});

describe('permission', () => {
  const both = documentOf(
    bundleWith([
      revision('r1', { appraisalValue: amount('24'), bookValue: amount('19') }),
      revision('r2', { noi: amount('5') }, { source: 'jreit' }),
    ]),
  );

  it('REIT-04 is denied by default, per surface', () => {
    expect(allowedSurfaces(clean.document, [])).toEqual([]);
    expect(allowedSurfaces(clean.document, [row('allow', 'csv')])).toEqual(['csv']);
    expect(allowedSurfaces(clean.document, [row('allow')])).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(clean.document, [row('allow', 'all', 'jreit')])).toEqual([]);
  });

  it('REIT-04 the last row for a surface applies', () => {
    const rest = PERMITTED_SURFACES.filter((surface) => surface !== 'csv');
    expect(allowedSurfaces(clean.document, [row('allow'), row('deny', 'csv')])).toEqual(rest);
    expect(allowedSurfaces(clean.document, [row('deny', 'csv'), row('allow')])).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(clean.document, [row('allow'), row('deny'), row('allow', 'mcp')])).toEqual(['mcp']);
  });

  it('REIT-04 every revision must be allowed; computed values are allowed where their inputs are', () => {
    expect(both.sourceRevisions.map(({ source }) => source)).toContain('dnk');
    expect(allowedSurfaces(both, [row('allow')])).toEqual([]);
    expect(allowedSurfaces(both, [row('allow'), row('allow', 'page', 'jreit')])).toEqual(['page']);
    const superseded = documentOf(
      bundleWith([
        revision('r1', { noi: amount('5') }, { lineageId: 'l', source: 'jreit' }),
        revision('r2', { noi: amount('6') }, { lineageId: 'l', supersedes: 'r1' }),
      ]),
    );
    expect(allowedSurfaces(superseded, [row('allow')])).toEqual([]);
  });

  it('REIT-04 dnk cannot permit values that it did not derive', () => {
    const document = documentOf(bundleWith([revision('r1', { noi: amount('5') }, { source: 'dnk' })]));
    expect(allowedSurfaces(document, [row('allow')])).toEqual([]);
    const empty = documentOf(bundleWith([revision('r1', {}, { source: 'dnk' })]));
    expect(allowedSurfaces(empty, [row('allow')])).toEqual([]);
  });

  it('REIT-04 a lineage may have its own row, which a later denial of its source overrides', () => {
    const lineage = (verdict: 'allow' | 'deny'): Permission => ({
      ...row(verdict),
      subject: { issuerId: 'reit-a', lineageId: 'l1' },
    });
    expect(allowedSurfaces(clean.document, [lineage('allow')])).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(clean.document, [row('allow'), lineage('deny')])).toEqual([]);
    expect(allowedSurfaces(clean.document, [lineage('deny'), row('allow')])).toEqual([]);
    expect(allowedSurfaces(clean.document, [row('deny'), lineage('allow')])).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(clean.document, [lineage('allow'), row('deny')])).toEqual([]);
    const others = { ...lineage('allow'), subject: { issuerId: 'reit-b', lineageId: 'l1' } };
    expect(allowedSurfaces(clean.document, [others])).toEqual([]);
  });

  it('REIT-10 a denial hides it on that surface only, and it stays accepted', () => {
    const facts = factsOf({ permissions: [row('allow'), row('deny', 'csv')] });
    expect(statusOf(live(ACCEPTED), facts)).toMatchObject({
      state: 'accepted',
      served: PERMITTED_SURFACES.filter((s) => s !== 'csv'),
    });
    const denied = factsOf({ permissions: [row('allow'), row('deny')] });
    expect(statusOf(live(ACCEPTED), denied)).toMatchObject({ state: 'accepted', served: [] });
  });

  it('REIT-09 activation needs at least one allowed surface', () => {
    const facts = factsOf({ permissions: [] });
    expect(refusalOf(live(REVIEWED), activate(), facts)).toContain('no surface');
    expect(refusalOf(live(REVIEWED), activate(), factsOf({ permissions: [row('allow', 'markdown')] }))).toBeUndefined();
  });

  it.each([
    ['source', 'newspaper'],
    ['source', 'dnk'],
    ['surface', 'fax'],
    ['basis', ' '],
    ['by', ''],
  ])('REIT-04 is not given with the %s %j', (key, value) => {
    const asked = { verdict: 'allow' as const, source: 'edinet', surface: 'all', basis: '公開', by: 'carol', at: AT };
    expect(makePermission({ ...asked, [key]: value }).ok).toBe(false);
    expect(makePermission(asked).ok).toBe(true);
  });
});

describe('any sequence of commands', () => {
  const names = fc.constantFrom('alice', 'bob', 'carol');
  type Step =
    | { command: LifeCommand }
    | { permission: Permission }
    | { world: PublicationFacts['anchors'] }
    | { corrected: string };
  const steps: fc.Arbitrary<Step> = fc.oneof(
    fc
      .record({
        kind: fc.constantFrom('data' as const, 'match' as const),
        by: names,
        verdict: fc.constantFrom('pass' as const, 'pass' as const, 'pass' as const, 'reject' as const),
      })
      .map(({ kind, by, verdict }) => ({ command: review(kind, by, verdict) })),
    names.map((by) => ({ command: activate(by) })),
    fc.constantFrom<Step>({ command: check }, { command: withdraw() }),
    fc
      .tuple(
        fc.constantFrom('allow' as const, 'deny' as const),
        fc.constantFrom(...PERMITTED_SURFACES, 'all' as const),
        fc.constantFrom('edinet', 'jreit'),
      )
      .map(([v, s, source]) => ({ permission: row(v, s, source) })),
    fc.constantFrom<Step>(
      { world: anchorMap(anchors()) },
      { world: anchorMap(anchors({ floorsAbove: 4 })) },
      { world: anchorMap(anchors({ lifecycle: 'merged' })) },
      { world: new Map() },
    ),
    fc.constantFrom('r1', 'r2').map((corrected) => ({ corrected })),
  );

  it('REIT-09 REIT-10 never serves what is unreviewed, unpermitted, suspended or withdrawn', () => {
    let served = 0;
    fc.assert(
      fc.property(fc.array(steps, { minLength: 4, maxLength: 30 }), fc.boolean(), (sequence, isBlocked) => {
        const draft = isBlocked ? draftOf(agreeing(amount('5'), amount('6'))) : clean;
        let [facts, events] = [factsOf({ permissions: [] }, draft), [] as LifeEvent[]];
        // An independent model of the same life: what each review saw, and plain flags.
        const saw: Record<'data' | 'match', string | null> = { data: null, match: null };
        const seenNow = (kind: 'data' | 'match') =>
          kind === 'data' ? (facts.heads.get('l1') ?? 'r1') : JSON.stringify(facts.anchors.get(BUILDING));
        const reviewers = new Set<string>();
        let [isActive, isWithdrawn, isSuspended] = [false, false, false];
        for (const next of sequence) {
          if ('permission' in next) facts = { ...facts, permissions: [...facts.permissions, next.permission] };
          else if ('corrected' in next) facts = { ...facts, heads: new Map([['l1', next.corrected]]) };
          else if ('world' in next) {
            facts = { ...facts, anchors: next.world };
            events = [...events, ...recheckEvents(events, facts, AT)];
            if (isActive && next.world.get(BUILDING)?.lifecycle === 'merged') isWithdrawn = true;
            if (isActive && next.world.size > 0 && seenNow('match') !== saw.match) isSuspended = true;
          } else {
            const { command } = next;
            const decided = decideTransition(events, command, facts);
            if (!decided.ok) continue;
            events = [...events, ...decided.value.events];
            if (command.type === 'withdraw') isWithdrawn = true;
            if (command.type === 'review') {
              const isPass = command.verdict === 'pass';
              saw[command.review] = isPass ? seenNow(command.review) : null;
              if (isPass) reviewers.add(command.by);
              if (isPass && command.review === 'match') isSuspended = false;
              if (!isPass && isActive) isWithdrawn = true;
            }
            if (command.type === 'activate') {
              expect(isBlocked || isWithdrawn || isActive || reviewers.has(command.by)).toBe(false);
              expect(saw).toEqual({ data: seenNow('data'), match: seenNow('match') });
              isActive = true;
            }
          }
          for (const surface of statusOf(events, facts).served) {
            served += 1;
            expect({ isActive, isWithdrawn, isSuspended, isBlocked }).toEqual({
              isActive: true,
              isWithdrawn: false,
              isSuspended: false,
              isBlocked: false,
            });
            expect(seenNow('match')).toBe(saw.match);
            const last = facts.permissions.findLast(
              ({ subject, surface: on }) =>
                'source' in subject && subject.source === 'edinet' && (on === surface || on === 'all'),
            );
            expect(last?.verdict).toBe('allow');
          }
        }
      }),
      { endOnFailure: true, numRuns: 3000 },
    );
    expect(served).toBeGreaterThan(0);
  });
});
