import { findLabel } from '../../sources/disclosure/columns.ts';
import { type DisclosedRow, type DisclosedTable, headerOf } from '../../sources/disclosure/disclosed-table.ts';
import { parseFigure, unitsAbove, unitsIn } from '../../sources/disclosure/figures.ts';
import { oneLine } from '../../sources/disclosure/names.ts';
import type { FilingTable } from './collect-filing.ts';
import { FLOW_METRICS, findMetricAt } from './find-metric.ts';
import type { PlacedTable } from './find-tables.ts';
import type { PropertyMention, ReadTable, TableStatement } from './history.ts';
import { isValueOf, type LabelPair, labelEvents } from './label-pairs.ts';
import { type MetricLine, selectLines } from './metric-lines.ts';
import { periodHint } from './periods.ts';
import type { KnownProperty } from './property-list.ts';
import {
  AppraisalTracker,
  interestOf,
  MAX_LABEL_ROWS,
  type PlacedPair,
  statementsOf,
  unitsOf,
} from './read-label-table.ts';
import type { Subject, SubjectTracker } from './subject.ts';

export interface HeadedTable {
  read: ReadTable | undefined;
  /** Why rows with figures have no property; undefined if there are none. */
  orphan: Subject['kind'] | undefined;
  /** The headings of the properties, for the locator. */
  headings: string[];
}

const MAX_HEADER = 4;
const TENANTS = /テナント|賃借人|契約|階/u;

/** Reads a table whose property is named by the headings above it or by titles between its rows. */
export function readHeadedTable({ table, section }: PlacedTable, tracker: SubjectTracker): HeadedTable {
  const { rows, above } = table;
  const headed: HeadedTable = { read: undefined, orphan: undefined, headings: [] };
  if (rows.length > MAX_LABEL_ROWS) return headed;
  const events = [...labelEvents(rows)];
  const owned = new Map<KnownProperty, PlacedPair[]>();
  const places = new AppraisalTracker([...section, ...above]);
  for (const event of events) {
    if (event.kind === 'title') {
      tracker.takeLine(event.text);
      places.takeTitle(event.text);
      continue;
    }
    if (event.kind === 'headers') continue;
    const kind = findLabel(event.label);
    if (kind === 'planned' || kind === 'sold') return headed;
    for (const line of keyLines(event)) tracker.takeLine(line);
    const subject = subjectBeside(event.groups, tracker, table.inBlock);
    const placed = places.place(event);
    tracker.takeTable();
    if (subject.kind !== 'property') {
      if (findMetricAt([event.label], 0) !== undefined) headed.orphan = subject.kind;
      continue;
    }
    owned.set(subject.property, [...(owned.get(subject.property) ?? []), placed]);
    if (!headed.headings.includes(subject.heading)) headed.headings.push(subject.heading);
  }
  const read: ReadTable = { mentions: [], statements: [], notes: [] };
  const general = unitsOf(events, above);
  for (const [property, placed] of owned) {
    const owner = { number: property.number ?? '', name: property.name };
    const { statements, notes } = statementsOf(placed, owner, general);
    const interest = interestOf(placed.map(({ pair }) => pair));
    if (statements.length + interest.length === 0) continue;
    read.mentions.push({ ...owner, interest });
    read.statements.push(...statements);
    read.notes.push(...notes);
  }
  if (read.mentions.length > 0) return { ...headed, read };
  const subject = tracker.subjectOf(table.inBlock);
  const across = readAcross(table, ownerOf(subject), places.inAppraisal);
  if (across === undefined) return headed;
  if (subject.kind !== 'property') return { ...headed, orphan: subject.kind };
  return { read: across, orphan: undefined, headings: [subject.heading] };
}

/** The group to the left of a label may be the property itself, spanning its rows. */
function subjectBeside(groups: readonly string[], tracker: SubjectTracker, inBlock: boolean): Subject {
  if (groups.length === 0) return tracker.subjectOf(inBlock);
  const beside = tracker.copy();
  for (const group of groups) beside.takeLine(group);
  return beside.subjectOf(inBlock);
}

/** The name or number of the property in a pair, as a heading line: 物件名称 | 見本館. */
function keyLines({ label, values }: LabelPair): string[] {
  const kind = findLabel(label);
  const texts = values.map(({ text }) => oneLine(text)).filter((text) => text !== '');
  if (kind === 'name') return texts;
  return kind === 'number' ? texts.map((text) => `物件番号 ${text}`) : [];
}

const MAX_HEADING_ROWS = 3;

/** The lines of a small table that only names a property and so heads the tables below it. */
export function headingLines({ rows }: DisclosedTable): string[] {
  if (rows.length > MAX_HEADING_ROWS) return [];
  const events = [...labelEvents(rows)];
  const lines = events.map((event) => (event.kind === 'pair' ? keyLines(event) : []));
  return lines.every((some) => some.length > 0) ? lines.flat() : [];
}

const NO_PROPERTY = { number: '', name: '' };

function ownerOf(subject: Subject): Pick<PropertyMention, 'number' | 'name'> {
  return subject.kind === 'property'
    ? { number: subject.property.number ?? '', name: subject.property.name }
    : NO_PROPERTY;
}

/** Reads headers above one row of figures, or above a row for every period. */
function readAcross(
  { rows, above }: FilingTable,
  { number, name }: Pick<PropertyMention, 'number' | 'name'>,
  inAppraisal: boolean,
): ReadTable | undefined {
  const read: ReadTable = { mentions: [{ number, name, interest: '' }], statements: [], notes: [] };
  for (const { at, depth, body } of segmentsOf(rows)) {
    const width = Math.max(...rows.slice(at, at + depth).map(({ cells }) => cells.length));
    const headers = Array.from({ length: width }, (_, index) => headerOf(rows, at, depth, index));
    if (headers.some((header) => TENANTS.test(header)) || headers.some((header) => isForeign(header))) return undefined;
    const found = headers.flatMap((label, index): MetricLine[] => {
      const metric = findMetricAt(headers, index);
      if (metric === undefined || (inAppraisal && FLOW_METRICS.has(metric.metric))) return [];
      return [{ index, ...metric, label, hint: periodHint(label) }];
    });
    const { lines, notes } = selectLines(found, headers);
    const hints = body.map(({ cells }) => periodHint(cells[0]?.text ?? ''));
    const named = new Set(hints.map((hint) => JSON.stringify(hint)));
    if (body.length > 1 && (hints.includes(undefined) || named.size < body.length)) return undefined;
    read.notes.push(...notes);
    for (const [at, { cells }] of body.entries()) {
      for (const { index, metric, label, hint, doubt } of lines) {
        const text = cells[index]?.text;
        if (text === undefined || !isValueOf(metric, text)) continue;
        const units = { ...unitsAbove(above), ...unitsIn(label) };
        const row = hints[at] === undefined ? oneLine(name) : oneLine(cells[0]?.text ?? '');
        const place = { row: row || '値', column: oneLine(label) };
        const statement: TableStatement = {
          number,
          name,
          metric,
          text,
          units,
          hint: hints[at] ?? hint,
          shared: false,
          ...place,
        };
        read.statements.push(doubt === undefined ? statement : { ...statement, doubt });
      }
    }
  }
  return read.statements.length > 0 ? read : undefined;
}

const isForeign = (header: string): boolean => ['name', 'number', 'planned', 'sold'].includes(findLabel(header) ?? '');

interface Segment {
  at: number;
  depth: number;
  body: DisclosedRow[];
}

/** Header rows, each run with the rows of figures below it. */
function segmentsOf(rows: readonly DisclosedRow[]): Segment[] {
  const segments: Segment[] = [];
  let wasFigures = true;
  for (const [at, row] of rows.entries()) {
    // A title between the rows is not a header.
    if (new Set(row.cells).size === 1) {
      wasFigures = true;
      continue;
    }
    const isFigures = hasFigure(row);
    if (!isFigures && wasFigures) segments.push({ at, depth: 0, body: [] });
    const segment = segments.at(-1);
    wasFigures = isFigures;
    if (segment === undefined) continue;
    if (isFigures) segment.body.push(row);
    else segment.depth += 1;
  }
  return segments.filter(({ depth, body }) => body.length > 0 && depth <= MAX_HEADER);
}

const hasFigure = ({ cells }: DisclosedRow): boolean =>
  cells.some((cell) => cell !== undefined && cell.text.trim() !== '' && parseFigure(cell.text).kind !== 'unreadable');
