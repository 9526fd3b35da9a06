import { readFileSync } from 'node:fs';
import { applyCommand, composeDraft } from '../reit/life/commands.ts';
import { addPermission, hasPublications } from '../reit/life/store.ts';
import type { LifeCommand } from '../reit/life/transitions.ts';
import { parseBundle } from '../reit/publication/read-bundle.ts';
import type { Tx } from '../storage/storage.ts';
import type { Context } from './context.ts';

const SAMPLE = new URL('../../sample/reit/', import.meta.url);

/** How far each is taken. They are made up, issuers and figures alike; what comes of them later is the later fetch's doing. */
export const SAMPLE_PUBLICATIONS = {
  'south-tower.json': 'accepted',
  'landmark.json': 'accepted',
  'landmark-corrected.json': 'accepted',
  'umeda-conflict.json': 'checked',
  'umeda.json': 'reviewed',
  'harukas.json': 'checked',
  'omokado.json': 'accepted',
  'park-tower.json': 'accepted',
  'ginza-six.json': 'withdrawn',
  'kyoto-station.json': 'composed',
} as const;
const BASIS = 'made up for the sample';
const STAGES = ['composed', 'checked', 'reviewed', 'accepted', 'withdrawn'] as const;

/** The sample's REIT publications, by the same commands as others: all of them or none. */
export async function loadSampleReit({ storage, now }: Context, tell: (step: string) => void): Promise<void> {
  const count = await storage.transaction(async (tx) => {
    if (await hasPublications(tx)) return 0;
    for (const [file, stage] of Object.entries(SAMPLE_PUBLICATIONS)) await take(tx, file, stage, now());
    return Object.keys(SAMPLE_PUBLICATIONS).length;
  });
  if (count > 0) tell(`${count} fictional publications of REITs composed, and some of them accepted`);
}

async function take(tx: Tx, file: string, stage: (typeof STAGES)[number], at: string): Promise<void> {
  const bundle = parseBundle(readFileSync(new URL(file, SAMPLE), 'utf8'));
  const draft = bundle.ok ? await composeDraft(tx, bundle.value, at) : bundle;
  if (!draft.ok) throw new Error(`the sample's ${file} is refused: ${JSON.stringify(draft.failure)}`);
  const { id } = draft.value;
  const review = { type: 'review', verdict: 'pass', by: 'sample reviewer', note: 'a fictional filing', at } as const;
  const steps: Record<(typeof STAGES)[number], ((predecessors: string[]) => LifeCommand)[]> = {
    composed: [],
    checked: [() => ({ type: 'check', at })],
    reviewed: [() => ({ ...review, review: 'data' }), () => ({ ...review, review: 'match' })],
    accepted: [(predecessors) => ({ type: 'activate', id, by: 'sample operator', at, predecessors })],
    withdrawn: [() => ({ type: 'withdraw', by: 'sample operator', reason: 'shows a withdrawal', at })],
  };
  // REIT-04: of what it takes through review, and of nothing else: sources are for operators to permit.
  if (STAGES.indexOf(stage) >= STAGES.indexOf('reviewed')) {
    const subject = { publicationId: id };
    await addPermission(tx, { subject, surface: 'all', verdict: 'allow', basis: BASIS, by: 'sample', at });
  }
  for (const step of STAGES.slice(0, STAGES.indexOf(stage) + 1).flatMap((reached) => steps[reached])) {
    const done = await applyCommand(tx, id, ({ predecessors }) => step(predecessors.map((other) => other.id)));
    if (!done.ok) throw new Error(`the sample's ${file}: ${done.failure.reason}`);
  }
}
