import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import type { BuildingSummary, SummaryField, SummaryFigure } from '../../../vocabulary/building-summary.ts';
import { isStillPlanned } from '../../../vocabulary/completion.ts';
import {
  count,
  creditLine,
  joinNames,
  MAX_LISTED,
  MAX_SOURCES,
  measure,
  moreLines,
  named,
  short,
  sourceName,
} from './words.ts';

/** What a text says first if the requested ID leads to another building. */
export function moveNotice({ id, moved }: { id: string; moved: boolean }): string {
  return moved ? `The requested id now leads to ${id}; use that id from now on.\n\n` : '';
}

export const withMoveNotice = (text: string, found: { id: string; moved: boolean }): string =>
  `${moveNotice(found)}${text}`;

export function digestSources(id: string, sources: readonly SourcesEntry[]): string {
  const lines = sources.slice(0, MAX_LISTED).map(sourceLine);
  const more = moreLines(sources.length - lines.length);
  return [`${count(sources.length, 'source record')} consulted for ${id}:`, '', ...lines, ...more].join('\n');
}

/** FIT-21: one building without geometry, history and neighbours: all that its summary says. */
export function digestSummary(summary: BuildingSummary, baseUrl: string | undefined, today: string): string {
  const { id, path, nameJa, nameEn, addressJa, categories, lat, lon, fields, aliases, sources, attribution } = summary;
  const lines = [
    `# ${joinNames(id, nameJa, nameEn)}`,
    '',
    `- id: ${id}`,
    `- page: ${baseUrl ?? ''}${path}`,
    ...(addressJa === null ? [] : [`- address: ${short(addressJa)}`]),
    ...(lat === null ? [] : [`- position: ${lat}, ${lon}`]),
    `- uses: ${categories.join(', ')}`,
    ...(aliases.length === 0 ? [] : [`- aliases: ${named(aliases, short)}`]),
    '',
    '## Fields',
    '',
    ...fieldLines(fields, today),
    '',
    'Fields that are not listed are unknown.',
    '',
    '## Sources',
    '',
    ...sources.slice(0, MAX_SOURCES).map((source) => `- ${sourceName(source)}`),
    ...(sources.length > MAX_SOURCES ? [`and ${sources.length - MAX_SOURCES} more`] : []),
    '',
    '## Attribution',
    '',
    ...attribution.map(creditLine),
  ];
  return lines.join('\n');
}

/** The names of a record. */
export const nameOf = ({ id, fields: { nameJa, nameEn } }: BuildingPage): string =>
  joinNames(id, ...[nameJa, nameEn].map((name) => name && String(name.value)));

function sourceLine(entry: SourcesEntry): string {
  return `- ${sourceName(entry)}: ${entry.fields.length === 0 ? 'no fields' : entry.fields.join(', ')}`;
}

export function figureLine(
  name: string,
  { value, unit, source, confidence, estimated, conflict, retrievedAt }: SummaryFigure & { retrievedAt?: string },
  planned = false,
): string {
  const date = retrievedAt === undefined ? '' : ` ${retrievedAt.slice(0, 10)},`;
  const marks = `${estimated ? ', estimated' : ''}${planned ? ', planned, not built yet' : ''}`;
  const line = `${name}: ${measure(value, unit)} (${source},${date} confidence ${confidence}${marks})`;
  return conflict === null ? line : `${line}; ${conflict.source} says ${measure(conflict.value, unit)}`;
}

/** Every field of a summary. `today` is the day in Japan. */
export function fieldLines(fields: BuildingSummary['fields'], today: string): string[] {
  // UI-20
  const isPlanned = (name: string) =>
    (name === 'yearBuilt' || name === 'completionMonth') && isStillPlanned(name, fields as never, today);
  return Object.entries(fields).map(([name, field]) => `- ${figureLine(name, field as SummaryField, isPlanned(name))}`);
}
