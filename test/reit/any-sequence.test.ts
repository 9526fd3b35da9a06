import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeBuildings, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { PERMITTED_SURFACES } from '../../src/reit/life/permissions.ts';
import { openReit, type Reit } from '../../src/reit/life/reit.ts';
import { onBothEngines } from '../support/engines.ts';
import { building, id, record } from '../support/records.ts';
import {
  ASKED_SURFACES,
  type AskedSurface,
  bundleFor,
  openReitPlace,
  permit,
  type ReitPlace,
} from '../support/reit-place.ts';
import { expectVerified } from '../support/verified.ts';
import { amount, revision } from './support.ts';

const NAMES = ['alice', 'bob', 'carol'] as const;
const which = fc.constantFrom(0, 1, 2);
const name = fc.constantFrom(...NAMES);
const surface = fc.oneof(fc.constantFrom<string>(...ASKED_SURFACES), fc.constant('all'));
const verdict = fc.constantFrom('pass' as const, 'reject' as const);

/** Steps for three publications: two of one property, and one of another that has two sources. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      of: which,
      kind: fc.constantFrom('data', 'match'),
      verdict,
      by: name,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('accept' as const), of: which, by: name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('activate' as const), of: which, by: name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('permit' as const),
      verdict: fc.constantFrom('allow', 'allow', 'deny'),
      surface,
      source: fc.constantFrom('edinet', 'jreit'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), of: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unmerge' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A sequence after which something is served. */
const SERVING: Step[] = [
  { do: 'permit', verdict: 'allow', surface: 'all', source: 'edinet' },
  { do: 'accept', of: 0, by: 'alice' },
];

/** An independent model of what may be served. */
class Model {
  readonly sources = [['edinet'], ['edinet'], ['edinet', 'jreit']] as const;
  readonly allowed = new Set<string>();
  readonly passed = [0, 1, 2].map(() => ({ data: false, match: -1, by: new Set<string>() }));
  readonly active = [false, false, false];
  /** Counts changes of the building; a match review is valid for the count at which it was made. */
  anchors = 0;
  isMerged = false;

  reviewed(of: number, kind: string, isPass: boolean, by: string): void {
    const passed = this.passed[of] as (typeof this.passed)[number];
    if (isPass) passed.by.add(by);
    if (kind === 'data') passed.data = isPass;
    else passed.match = isPass ? this.anchors : -1;
    if (!isPass) this.active[of] = false;
  }

  activated(of: number, by: string): void {
    const passed = this.passed[of] as (typeof this.passed)[number];
    expect(passed.data && passed.match === this.anchors && !this.isMerged).toBe(true);
    expect(passed.by.has(by)).toBe(false);
    if (of < 2) this.active[1 - of] = false;
    this.active[of] = true;
  }

  permits(verdict: string, surface: string, source: string): void {
    for (const one of surface === 'all' ? PERMITTED_SURFACES : [surface]) {
      if (verdict === 'allow') this.allowed.add(`${source} ${one}`);
      else this.allowed.delete(`${source} ${one}`);
    }
  }

  mayServe(of: number, surface: AskedSurface): boolean {
    if (!this.active[of] || this.isMerged || this.passed[of]?.match !== this.anchors) return false;
    return this.sources[of]?.every((source) => this.allowed.has(`${source} ${surface}`)) ?? false;
  }
}

let runs = 0;
let served = 0;
/** Kept between the sequences of one database, so that what it caches would show. */
let reitOfPlace: Reit | undefined;

async function play(place: ReitPlace, steps: readonly Step[]): Promise<void> {
  const [own, other] = [id(1000 + 2 * runs), id(1001 + 2 * runs)];
  const number = 1000 + 2 * runs++;
  const model = new Model();
  reitOfPlace ??= openReit(place.context.storage);
  const reit = reitOfPlace;
  let moment = 0;
  const observe = async (floorsAbove: number) => {
    const retrievedAt = new Date(Date.UTC(2026, 1, 1) + ++moment * 1_000).toISOString();
    await place.ingest([building(number, { floorsAbove }, { retrievedAt, rawPayloadRef: `sha256:${moment}` })]);
  };
  await place.ingest([building(number, { floorsAbove: 1 }), building(number + 1)]);
  for (const source of ['edinet', 'jreit']) await permit(place, 'deny', 'all', source);
  const issuer = { id: `reit-${runs}`, nameJa: '見本投資法人', edinetCode: 'E99999' };
  const first = bundleFor(own, 'A-01', { issuer });
  const second = revision('r3', { noi: amount('57000000') }, { source: 'jreit' });
  const ids: string[] = [];
  for (const bundle of [
    first,
    { ...first, transactions: [] },
    { ...bundleFor(own, 'B-01', { issuer }), sourceRevisions: [...first.sourceRevisions, second] },
  ]) {
    ids.push((await place.compose(bundle)).id);
  }

  const review = async (of: number, kind: string, verdict: 'pass' | 'reject', by: string) => {
    const { code } = await place.reit('review', kind, ids[of] ?? '', `--${verdict}`, '--by', by, '--note', 'x');
    if (code === 0) model.reviewed(of, kind, verdict === 'pass', by);
  };
  const activate = async (of: number, by: string) => {
    if ((await place.reit('activate', ids[of] ?? '', '--by', by)).code === 0) model.activated(of, by);
  };
  const take = async (taken: Step): Promise<void> => {
    switch (taken.do) {
      case 'review':
        return review(taken.of, taken.kind, taken.verdict, taken.by);
      case 'accept':
        for (const kind of ['data', 'match']) await review(taken.of, kind, 'pass', taken.by);
        return activate(taken.of, NAMES.find((by) => by !== taken.by) ?? '');
      case 'activate':
        return activate(taken.of, taken.by);
      case 'permit':
        await permit(place, taken.verdict, taken.surface, taken.source);
        return model.permits(taken.verdict, taken.surface, taken.source);
      case 'change':
        await observe(++model.anchors + 1);
        return;
      case 'rename':
        return place.ingest([record('jreit', `j${runs}`, { nameJa: '改名', floorsAbove: 60 }, { building: own })]);
      case 'withdraw': {
        const { code } = await place.reit('withdraw', ids[taken.of] ?? '', '--by', 'dave', '--reason', 'x');
        if (code === 0) model.active[taken.of] = false;
        return;
      }
      case 'merge':
        if (model.isMerged) return;
        await mergeBuildings(place.context, own, other, null);
        model.isMerged = true;
        model.active.fill(false);
        return;
      case 'unmerge':
        if (!model.isMerged) return;
        await unmergeBuilding(place.context, own, null);
        model.isMerged = false;
    }
  };
  for (const taken of steps) {
    await take(taken);
    for (const surface of ASKED_SURFACES) {
      const at = model.isMerged ? other : own;
      const found = await place.served(surface, at);
      for (const publication of found) {
        expect(model.mayServe(ids.indexOf(publication), surface), `${surface} after ${taken.do}`).toBe(true);
      }
      served += found.length;
      // Everything that may be served is served.
      const expected = ids.filter((_, of) => model.mayServe(of, surface));
      expect([...found].sort(), `${surface} after ${taken.do}`).toEqual(expected.sort());
      // UI-47: the same as a set of buildings, for lists.
      const isListed = expected.length > 0;
      expect((await reit.servedBuildings(surface)).has(at), `${surface} after ${taken.do}`).toBe(isListed);
      expect((await reit.servedBuildings(surface, [at, id(99)])).has(at)).toBe(isListed);
    }
  }
  await expectVerified(place.context);
}

onBothEngines('any sequence of commands', (fresh, engine) => {
  it('REIT-09 REIT-10 UI-47 serves only what is reviewed, allowed, matched and active, on every surface', async () => {
    const place = await openReitPlace(await fresh());
    reitOfPlace = undefined;
    const steps = fc.array(step, { minLength: 8, maxLength: 22 });
    await fc.assert(
      fc.asyncProperty(steps, (taken) => play(place, taken)),
      { numRuns: engine === 'sqlite' ? 15 : 6, endOnFailure: true, examples: [[SERVING]] },
    );
    expect(served).toBeGreaterThan(0);
    await place.close();
  });
});
