import { findLabel } from '../../sources/disclosure/columns.ts';
import type { DisclosedTable } from '../../sources/disclosure/disclosed-table.ts';
import { unitsAbove } from '../../sources/disclosure/figures.ts';
import type { ReadTable } from './history.ts';
import { type LabelEvent, type LabelPair, labelEvents } from './label-pairs.ts';
import { AppraisalPlaces, interestOf, type PlacedPair, statementsOf } from './pair-statements.ts';

export const MAX_LABEL_ROWS = 200;
/** Labels in fewer rows may be headers. */
const MIN_ROWS = 3;
const MIN_METRICS = 2;

/** A table of one property that it names itself, with labels beside their values. */
export function readLabelTable({ rows, above }: DisclosedTable): ReadTable | undefined {
  if (rows.length > MAX_LABEL_ROWS) return undefined;
  const events = [...labelEvents(rows)];
  const pairs = events.filter((event): event is LabelPair => event.kind === 'pair');
  if (new Set(pairs.map(({ row }) => row)).size < MIN_ROWS) return undefined;
  const keys = { number: new Set<string>(), name: new Set<string>() };
  for (const { label, values } of pairs) {
    const kind = findLabel(label);
    if (kind === 'planned' || kind === 'sold') return undefined;
    if (kind === 'number' || kind === 'name') for (const { text } of values) keys[kind].add(text.trim());
  }
  if (keys.number.size > 1 || keys.name.size > 1 || keys.number.size + keys.name.size === 0) return undefined;
  const [number = '', name = ''] = [...[keys.number, keys.name].map((said) => [...said][0])];
  const { statements, notes } = statementsOf(placedPairs(events, above), { number, name }, unitsOf(events, above));
  if (new Set(statements.map(({ metric }) => metric)).size < MIN_METRICS) return undefined;
  return { mentions: [{ number, name, interest: interestOf(pairs) }], statements, notes };
}

function placedPairs(events: readonly LabelEvent[], above: readonly string[]): PlacedPair[] {
  const places = new AppraisalPlaces(above);
  return events.flatMap((event) => {
    if (event.kind === 'pair') return [places.place(event)];
    if (event.kind === 'title') places.takeTitle(event.text);
    return [];
  });
}

/** Units that the lines above a table state, or titles and headers inside it. */
export function unitsOf(events: readonly LabelEvent[], above: readonly string[]): ReturnType<typeof unitsAbove> {
  return unitsAbove([...above, ...events.flatMap(textsIn)]);
}

function textsIn(event: LabelEvent): readonly string[] {
  if (event.kind === 'pair') return [];
  return event.kind === 'title' ? [event.text] : event.texts;
}
