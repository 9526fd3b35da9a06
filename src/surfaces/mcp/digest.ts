import { parseBody } from '../../registry/records.ts';
import { holdingsAt } from '../../reit/publication/citations.ts';
import { AMOUNT_BASIS, describeHolding } from '../../reit/publication/describe-interest.ts';
import type { AgreementField, Publication } from '../../reit/publication/document.ts';
import { periodsWithFigures } from '../../reit/publication/periods.ts';
import type { FigureFilter } from '../../reit/publication/restrict-document.ts';
import { type AreaSummary, LAST_PAGE, PAGE_SIZE, type SearchEnvelope } from '../../vocabulary/api-shapes.ts';
import type { Attribution, BuildingPage, SourcesEntry } from '../../vocabulary/building-page.ts';
import type {
  BuildingSummary,
  SummaryEnvelope,
  SummaryField,
  SummaryFigure,
  SummaryItem,
} from '../../vocabulary/building-summary.ts';
import { isStillPlanned } from '../../vocabulary/completion.ts';
import { markdownText, markdownUrl } from '../http/markdown.ts';

/** How many entries a text names; the structured content has them all. */
export const MAX_NAMED = 10;
export const MAX_SOURCES = 20;
const MAX_LISTED = 100;
/** Longer values are truncated. */
export const MAX_LENGTH = 300;

/** What a text says first if the requested ID leads to another building. */
export function moveNotice({ id, moved }: { id: string; moved: boolean }): string {
  return moved ? `The requested id now leads to ${id}; use that id from now on.\n\n` : '';
}

export const withMoveNotice = (text: string, found: { id: string; moved: boolean }): string =>
  `${moveNotice(found)}${text}`;

export function digestSources(id: string, sources: readonly SourcesEntry[]): string {
  const lines = sources.slice(0, MAX_LISTED).map(sourceLine);
  const left = sources.length - lines.length;
  const more = left > 0 ? [`\nand ${left} more, in the structured content.`] : [];
  return [`${count(sources.length, 'source record')} consulted for ${id}:`, '', ...lines, ...more].join('\n');
}

/** The number of matches, one line per building of the page, and where the next page is. */
export function digestSearch({ items, ...found }: SearchEnvelope): string {
  return digestPage(found, items.map(buildingLine));
}

/** How many buildings of a list of summaries are told in full. */
const FIRST_HITS = 5;
const HOW_TO_READ_ON = 'get_asset with an id has every field; the structured content has the figures of all of them.';

/** FIT-21: the same for summaries: all that is said of the first ones, a line for each of the others. */
export function digestSummaries({ items, view: _view, ...found }: SummaryEnvelope): string {
  const text = digestPage(
    found,
    items.map((item, i) => (i < FIRST_HITS ? summaryLines(item) : summaryLine(item))),
  );
  return items.length === 0 ? text : `${text}\n\n${HOW_TO_READ_ON}`;
}

function digestPage({ page, total, totalCapped }: Omit<SearchEnvelope, 'items'>, entries: readonly string[]): string {
  if (total === 0) {
    return (
      'No building matches. Words match literally: try fewer or shorter words, the Japanese spelling, or drop a ' +
      'filter. Areas go by slug (tokyo, chiyoda-ku; in a large city osaka-shi-kita-ku), types by use (office).'
    );
  }
  const last = Math.min(Math.ceil(total / PAGE_SIZE), LAST_PAGE);
  const first = (page - 1) * PAGE_SIZE + 1;
  const matching = totalCapped
    ? `More than ${total} buildings match`
    : `${count(total, 'building')} ${total === 1 ? 'matches' : 'match'}`;
  const beyond =
    totalCapped || total > LAST_PAGE * PAGE_SIZE
      ? ` Only the first ${LAST_PAGE * PAGE_SIZE} can be seen: narrow the search for the others.`
      : '';
  if (entries.length === 0) return `${matching}. Page ${page} is past the last; the pages are 1 to ${last}.${beyond}`;
  const lines = entries.map((entry, i) => `${first + i}. ${entry}`);
  const next = page < last ? `The next are on page ${page + 1} of ${last}.` : '';
  const more = next === '' && beyond === '' ? [] : ['', `${next}${beyond}`.trim()];
  return [`${matching}; ${first} to ${first + entries.length - 1}:`, '', ...lines, ...more].join('\n');
}

/** An area as text: its counts, and a line per area inside. */
export function digestArea({ area, buildingCount, latestRecordedAt, children, coverage }: AreaSummary): string {
  const english = area.nameEn === null ? '' : ` (${short(area.nameEn)})`;
  const known = Object.entries(coverage).map(([field, number]) => `${field} ${number}`);
  const lines = [
    `# ${short(area.nameJa)}${english}`,
    '',
    `- ${area.level} ${area.slug}, code ${area.code}, page ${area.path}`,
    `- ${count(buildingCount, 'published building')}, the latest recorded ${latestRecordedAt}`,
    `- buildings that have each field: ${known.join(', ')}`,
  ];
  if (children.length > 0) {
    const inside = children.map(
      ({ slug, nameJa, nameEn, path, buildingCount: number }) =>
        `- ${slug}: ${short(nameJa)}${nameEn === null ? '' : ` (${short(nameEn)})`}, ${number}, ${path}`,
    );
    lines.push('', '## Areas inside, with their buildings', '', ...inside.slice(0, MAX_LISTED));
    if (inside.length > MAX_LISTED) lines.push(`and ${inside.length - MAX_LISTED} more, in the structured content.`);
  }
  return lines.join('\n');
}

const NO_OWNER =
  'No published building has this owner. The name must be whole, as a source records it (for example the ' +
  'Japanese name of a company); the ownerPublic field of get_asset has it.';

/** Collects a line per building of an owner while the records are sent. */
export class PortfolioDigest {
  readonly #lines: string[] = [];
  #count = 0;
  #owner: string | undefined;

  add(record: Uint8Array): void {
    this.#count += 1;
    if (this.#lines.length >= MAX_LISTED) return;
    const page = parseBody<BuildingPage>(record);
    this.#owner ??= String(page.fields.ownerPublic?.value);
    this.#lines.push(`${this.#count}. ${buildingLine(page)}`);
  }

  text(): string {
    if (this.#owner === undefined) return NO_OWNER;
    const left = this.#count - this.#lines.length;
    const more = left > 0 ? [`\nand ${left} more, in the structured content.`] : [];
    return [`${count(this.#count, 'building')} of ${short(this.#owner)}:`, '', ...this.#lines, ...more].join('\n');
  }
}

/** The same for summaries. */
export class SummariesDigest {
  readonly #lines: string[] = [];
  #count = 0;
  #owner: string | undefined;

  add(summary: Uint8Array): void {
    this.#count += 1;
    if (this.#lines.length >= MAX_LISTED) return;
    const item = parseBody<SummaryItem>(summary);
    this.#owner ??= String(item.figures.ownerPublic?.value);
    const entry = this.#count <= FIRST_HITS ? summaryLines(item) : summaryLine(item);
    this.#lines.push(`${this.#count}. ${entry}`);
  }

  text(): string {
    if (this.#owner === undefined) return NO_OWNER;
    const left = this.#count - this.#lines.length;
    const more = left > 0 ? [`\nand ${left} more, in the structured content.`] : [];
    const head = `${count(this.#count, 'building')} of ${short(this.#owner)}:`;
    return [head, '', ...this.#lines, ...more, '', HOW_TO_READ_ON].join('\n');
  }
}

function summaryLine({ id, nameJa, nameEn, addressJa, categories, distanceM }: SummaryItem): string {
  const known = [addressJa === null ? [] : [short(addressJa)], distanceM === undefined ? [] : [`${distanceM} m away`]];
  return [nameOfSummary(id, nameJa, nameEn), id, categories.join(', '), ...known.flat()].join(' — ');
}

/** All that a summary says, as a line and a list below it. */
function summaryLines(item: SummaryItem): string {
  const { path, lat, lon, conflictsFlagged, hasReit, figures } = item;
  const values = Object.entries(figures).map(([name, figure]) => figureLine(name, figure));
  const place = lat === null ? [] : [`at ${lat}, ${lon}`];
  const facts = [
    path,
    ...place,
    count(conflictsFlagged, 'conflict'),
    ...(hasReit ? ['get_asset_reit has figures'] : []),
  ];
  return [summaryLine(item), `   - ${facts.join('; ')}`, ...values.map((value) => `   - ${value}`)].join('\n');
}

function figureLine(
  name: string,
  { value, unit, source, confidence, estimated, conflict, retrievedAt }: SummaryFigure & { retrievedAt?: string },
  planned = false,
): string {
  const date = retrievedAt === undefined ? '' : ` ${retrievedAt.slice(0, 10)},`;
  const marks = `${estimated ? ', estimated' : ''}${planned ? ', planned, not built yet' : ''}`;
  const line = `${name}: ${measure(value, unit)} (${source},${date} confidence ${confidence}${marks})`;
  return conflict === null ? line : `${line}; ${conflict.source} says ${measure(conflict.value, unit)}`;
}

/** FIT-21: one building without geometry, history and neighbours: all that its summary says. */
export function digestSummary(summary: BuildingSummary, baseUrl: string | undefined, today: string): string {
  const { id, path, nameJa, nameEn, addressJa, categories, lat, lon, fields, aliases, sources, attribution } = summary;
  const isPlanned = (name: string) =>
    (name === 'yearBuilt' || name === 'completionMonth') && isStillPlanned(name, fields as never, today);
  const lines = [
    `# ${nameOfSummary(id, nameJa, nameEn)}`,
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
    ...Object.entries(fields).map(([name, field]) => `- ${figureLine(name, field as SummaryField, isPlanned(name))}`),
    '',
    'Fields that are not listed are unknown.',
    '',
    '## Sources',
    '',
    ...sources.slice(0, MAX_SOURCES).map(({ source, sourceRecordId, sourceUrl }) => {
      return `- ${source} ${short(sourceRecordId)} ${sourceUrl.length > MAX_LENGTH ? short(sourceUrl) : markdownUrl(sourceUrl)}`;
    }),
    ...(sources.length > MAX_SOURCES ? [`and ${sources.length - MAX_SOURCES} more`] : []),
    '',
    '## Attribution',
    '',
    ...attribution.map(creditLine),
  ];
  return lines.join('\n');
}

function nameOfSummary(id: string, ...given: (string | null)[]): string {
  const [first, second] = given.filter((name) => name !== null).map(short);
  if (first === undefined) return `Unnamed building ${id}`;
  return second === undefined ? first : `${first} (${second})`;
}

function buildingLine(page: BuildingPage): string {
  const address = page.fields.addressJa?.value;
  const uses = page.assetTypes.map(({ category }) => category).join(', ');
  const { prefecture, ward, machiAza } = page.location;
  const slugs = [prefecture, ward, machiAza].map(({ slug }) => slug).join('/');
  const known = address === undefined ? [] : [short(String(address))];
  return [nameOf(page), page.id, uses, ...known, slugs].join(' — ');
}

function nameOf({ id, fields: { nameJa, nameEn } }: BuildingPage): string {
  const names = [nameJa, nameEn].filter((name) => name !== undefined).map(({ value }) => short(String(value)));
  const [first, second] = names;
  if (first === undefined) return `Unnamed building ${id}`;
  return second === undefined ? first : `${first} (${second})`;
}

function measure(value: string | number, unit: string | null): string {
  const amount = typeof value === 'number' ? value : short(value);
  return unit === null ? `${amount}` : `${amount} ${unit}`;
}

function sourceLine({ source, sourceRecordId, sourceUrl, fields }: SourcesEntry): string {
  const won = fields.length === 0 ? 'no fields' : fields.join(', ');
  const url = sourceUrl.length > MAX_LENGTH ? short(sourceUrl) : markdownUrl(sourceUrl);
  return `- ${source} ${short(sourceRecordId)} ${url}: ${won}`;
}

const creditLine = ({ source, licence, licenceUrl, credit }: Attribution): string =>
  `- ${source}: ${credit} (${licence}, ${licenceUrl})`;

function named<T>(items: readonly T[], nameOne: (item: T) => string): string {
  const left = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).map(nameOne).join('; ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function short(text: string): string {
  return markdownText(
    text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text,
  );
}

/** The latest periods of a holding; the structured content has them all. */
const MAX_PERIODS = 2;
const MAX_ASKED_PERIODS = 20;

/** A publication as text: the interest and its latest figures, or those that were asked for, with how far the sources agree. */
export function digestPublication(
  buildingId: string,
  { id, computedAt, document }: Publication,
  filter?: FigureFilter,
): string {
  const most = filter === undefined ? MAX_PERIODS : MAX_ASKED_PERIODS;
  const lines = [`# ${short(document.issuer.nameJa)}`, '', `- publication: ${id}`, `- computed: ${computedAt}`];
  for (const holding of holdingsAt(document, buildingId)) {
    const held = `held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`;
    lines.push('', `## ${short(holding.nameJa)} (${short(holding.propertyCode)})`, '');
    lines.push(`${describeHolding(document, holding)}; ${held}; amounts are for ${AMOUNT_BASIS[holding.amountBasis]}.`);
    const periods = periodsWithFigures(document, holding.id).reverse();
    for (const [i, { period, fields }] of periods.slice(0, most).entries()) {
      const span = `${period.startDate} to ${period.endDate}${i === 0 ? ', the latest' : ''}`;
      lines.push('', `${short(period.labelJa)} (${span}):`, '');
      lines.push(...fields.map(reitFieldLine));
    }
    const rest = periods.length - most;
    if (rest > 0) {
      const more = `and ${rest} earlier period${rest === 1 ? '' : 's'}`;
      lines.push('', `${more}, in the structured content.`);
    }
    if (periods.length === 0 && filter !== undefined) lines.push('', 'No figure that was asked for is known.');
  }
  lines.push('', 'Agreement between sources is not an audit. A figure that is not listed is missing, not zero.');
  lines.push('', `Sources: ${document.attributions.map(({ text }) => short(text)).join('; ')}.`);
  return lines.join('\n');
}

function reitFieldLine({ path, status, value }: AgreementField): string {
  if (value === null) return `- ${path}: ${status}`;
  if ('amount' in value) {
    const how = value.state === 'derived' ? `derived by ${short(value.formulaVersion)}` : status;
    return `- ${path}: ${value.amount} ${value.unit} (${how})`;
  }
  return `- ${path}: ${'date' in value ? short(value.date) : value.state} (${status})`;
}
