import { findLabel } from '../../sources/disclosure/columns.ts';
import type { DisclosedRow, DisclosedTable } from '../../sources/disclosure/disclosed-table.ts';
import type { CollectedFiling, FilingPart } from './collect-filing.ts';
import { findMetric } from './find-metric.ts';
import type { PlacedTable } from './find-tables.ts';
import { type DeclaredProperty, isTitle, readDeclaredProperty } from './headings.ts';
import type { TableReport, UnusedReason } from './history.ts';
import { isLabel } from './label-pairs.ts';

/** The reasons as the command prints them. */
export const UNUSED_REASONS: Readonly<Record<UnusedReason, string>> = {
  noFigures: 'it states no known figure',
  noProperty: 'neither the table nor a heading above it names a property',
  unknownProperty: 'the nearest heading names a property that the filing does not list',
  ambiguousProperty: 'the headings above it match more than one property',
  notListed: 'the filing does not list its properties',
  notHeld: 'it is about planned or sold properties',
  outsideSections: 'outside the property sections, only results of a period are read',
  noPeriod: 'the filing does not state the dates of its period',
  beforeCorrection: 'it shows the text before the correction',
  unknownLayout: 'its layout is unknown',
  tooLarge: 'it has too many rows or columns',
  tooDeep: 'it is nested in too many tables',
  notClosed: 'it is not closed in the file',
  holdsTables: 'it only contains other tables',
};

const LOOKED_AT_ROWS = 200;
const HEADER_ROWS = 5;
const LABEL_COLUMNS = 3;

/** Whether a table has labels or headers of known figures, in any layout. */
export function statesFigures({ rows }: DisclosedTable): boolean {
  return labelsOf(rows).some((text) => isLabel(text) && findMetric(text) !== undefined);
}

export function isNotHeld({ rows }: DisclosedTable): boolean {
  return labelsOf(rows).some((text) => ['planned', 'sold'].includes(findLabel(text) ?? ''));
}

/** The cells that may contain headers or labels. */
function labelsOf(rows: readonly DisclosedRow[]): string[] {
  const cells = rows
    .slice(0, LOOKED_AT_ROWS)
    .flatMap((row, at) => (at < HEADER_ROWS ? row.cells : row.cells.slice(0, LABEL_COLUMNS)));
  return [...new Set(cells.map((cell) => cell?.text ?? ''))];
}

/** The properties that headings declare, used if no table lists any. */
export function* declaredProperties(parts: readonly FilingPart[]): Generator<DeclaredProperty> {
  for (const part of parts) {
    if (part.kind === 'unread') continue;
    const texts = part.kind === 'line' ? [part.text] : [...part.table.captions, ...titlesIn(part.table)];
    for (const text of texts) {
      const declared = isTitle(text) ? readDeclaredProperty(text) : undefined;
      if (declared !== undefined) yield declared;
    }
  }
}

function titlesIn({ rows }: DisclosedTable): string[] {
  return rows.slice(0, LOOKED_AT_ROWS).flatMap(({ cells }) => {
    const texts = [...new Set(cells)].map((cell) => cell?.text.trim() ?? '').filter((text) => text !== '');
    return texts.length === 1 ? texts : [];
  });
}

/** Lists every unused table of a filing in order, with the counts. */
export function reportTables(
  { parts, tables }: Pick<CollectedFiling, 'parts' | 'tables'>,
  placed: ReadonlyMap<number, PlacedTable>,
  used: ReadonlySet<number>,
  headings: ReadonlySet<number>,
  reasons: ReadonlyMap<number, UnusedReason>,
): TableReport {
  const asText = tables.asText + headings.size;
  const report: TableReport = { seen: tables.seen, used: used.size, asText, unused: [] };
  let heading = '';
  for (const part of parts) {
    if (part.kind === 'line') {
      if (isTitle(part.text)) heading = part.text;
      continue;
    }
    if (part.kind === 'unread') {
      report.unused.push({ file: part.file, number: part.number, heading, reason: part.why });
      continue;
    }
    const { number, file, captions } = part.table;
    if (used.has(number) || headings.has(number)) continue;
    const near = captions.at(-1) ?? placed.get(number)?.section.at(-1) ?? heading;
    report.unused.push({ file, number, heading: near, reason: reasons.get(number) ?? 'noFigures' });
  }
  return report;
}
