import type { Draft } from '../draft.ts';

/**
 * Adds what a further row says of a building. Rows of its uses repeat the rest, so what the first said
 * stays; flats for sale in one row and to let in another are mixed.
 */
export function joinDrafts(first: Draft, next: Draft, line: number): void {
  const differing: string[] = [];
  for (const observation of next.observations) {
    const known = first.observations.find(({ field }) => field === observation.field);
    if (known === undefined) first.observations.push(observation);
    else if (known.value === observation.value) continue;
    else if (known.field === 'tenure') known.value = 'mixed';
    else differing.push(known.field);
  }
  if (differing.length > 0) {
    first.notes.push(`line ${line} gives it another ${differing.join(', ')}: what the first row gave is kept`);
  }
  for (const note of next.notes) if (!first.notes.includes(note)) first.notes.push(note);
}
