import { parseBody } from '../../../registry/records.ts';
import { LAST_PAGE, PAGE_SIZE, type SearchEnvelope } from '../../../vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { type SummaryEnvelope, type SummaryItem, toBuildingSummary } from '../../../vocabulary/building-summary.ts';
import { isStillPlanned } from '../../../vocabulary/completion.ts';
import { fieldLines, figureLine, nameOf } from './building.ts';
import { count, creditLine, joinNames, MAX_LISTED, moreLines, named, short } from './words.ts';

/** How many buildings of a list are told in full. */
const FIRST_HITS = 5;
const HOW_TO_READ_ON = 'get_asset with an id has every field; the structured content has the figures of all of them.';

/** The number of matches, one line per building of the page, and where the next page is. */
export function digestSearch({ items, ...found }: SearchEnvelope): string {
  return digestPage(found, items.map(buildingLine));
}

/** FIT-22: the same, with every field of the first buildings. `today` is the day in Japan. */
export function digestFullSearch({ items, ...found }: SearchEnvelope, today: string): string {
  const entries = items.map((page, i) => (i < FIRST_HITS ? buildingLines(page, today) : buildingLine(page)));
  return withHowToReadOn(digestPage(found, entries), items);
}

/** FIT-21: the same for summaries: all that is said of the first ones, a line for each of the others. */
export function digestSummaries({ items, view: _view, ...found }: SummaryEnvelope, today: string): string {
  const entries = items.map((item, i) => summaryEntry(item, i, today));
  return withHowToReadOn(digestPage(found, entries), items);
}

const withHowToReadOn = (text: string, items: readonly unknown[]) =>
  items.length === 0 ? text : `${text}\n\n${HOW_TO_READ_ON}`;

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

const NO_OWNER =
  'No published building has this owner. The name must be whole, as a source records it (for example the ' +
  'Japanese name of a company); the ownerPublic field of get_asset has it.';

/** One building of an owner as text. */
interface OwnedEntry {
  owner: string;
  entry: string;
}

/** Collects an entry per building of an owner while the records are sent. */
export class PortfolioDigest {
  readonly #entries: string[] = [];
  readonly #describe: (record: Uint8Array, i: number) => OwnedEntry;
  readonly #end: readonly string[];
  #count = 0;
  #owner: string | undefined;

  constructor(describe = describeRecord as (record: Uint8Array, i: number) => OwnedEntry, end: readonly string[] = []) {
    this.#describe = describe;
    this.#end = end;
  }

  add(record: Uint8Array): void {
    this.#count += 1;
    if (this.#entries.length >= MAX_LISTED) return;
    const { owner, entry } = this.#describe(record, this.#count - 1);
    this.#owner ??= owner;
    this.#entries.push(`${this.#count}. ${entry}`);
  }

  text(): string {
    if (this.#owner === undefined) return NO_OWNER;
    const head = `${count(this.#count, 'building')} of ${short(this.#owner)}:`;
    return [head, '', ...this.#entries, ...moreLines(this.#count - this.#entries.length), ...this.#end].join('\n');
  }
}

/** The same for summaries. */
export const summariesDigest = (today: string) =>
  new PortfolioDigest((summary, i) => describeSummary(summary, i, today), ['', HOW_TO_READ_ON]);

function describeRecord(record: Uint8Array): OwnedEntry {
  const page = parseBody<BuildingPage>(record);
  return { owner: String(page.fields.ownerPublic?.value), entry: buildingLine(page) };
}

function describeSummary(summary: Uint8Array, i: number, today: string): OwnedEntry {
  const item = parseBody<SummaryItem>(summary);
  return { owner: String(item.figures.ownerPublic?.value), entry: summaryEntry(item, i, today) };
}

const summaryEntry = (item: SummaryItem, i: number, today: string) =>
  i < FIRST_HITS ? summaryLines(item, today) : summaryLine(item);

function summaryLine({ id, nameJa, nameEn, addressJa, categories, distanceM }: SummaryItem): string {
  const known = [addressJa === null ? [] : [short(addressJa)], distanceM === undefined ? [] : [`${distanceM} m away`]];
  return [joinNames(id, nameJa, nameEn), id, categories.join(', '), ...known.flat()].join(' — ');
}

/** All that a summary says, as a line and a list below it. */
function summaryLines(item: SummaryItem, today: string): string {
  const { path, lat, lon, conflictsFlagged, hasReit, figures } = item;
  const facts = factsOf(path, lat, lon, conflictsFlagged);
  const all = hasReit ? `${facts}; get_asset_reit has figures` : facts;
  // UI-20: a summary has no month of completion.
  const isPlanned = (name: string) => name === 'yearBuilt' && isStillPlanned(name, figures as never, today);
  const values = Object.entries(figures).map(([name, figure]) => `- ${figureLine(name, figure, isPlanned(name))}`);
  return withLines(summaryLine(item), [`- ${all}`, ...values]);
}

const factsOf = (path: string, lat: number | null, lon: number | null, conflicts: number) =>
  [path, ...(lat === null ? [] : [`at ${lat}, ${lon}`]), count(conflicts, 'conflict')].join('; ');

const withLines = (first: string, lines: readonly string[]) => [first, ...lines.map((line) => `   ${line}`)].join('\n');

/** A record as a line and a list of what it says below it, without geometry, history and neighbours. */
function buildingLines(page: BuildingPage, today: string): string {
  const { path, location, counters, assetTypes, aliases, venues, attribution } = page;
  const facts = factsOf(path, location.lat, location.lon, counters.conflictsFlagged);
  const listed = <T>(word: string, items: readonly T[], nameOne: (item: T) => string) =>
    items.length === 0 ? [] : [`- ${word}: ${named(items, nameOne)}`];
  return withLines(buildingLine(page), [
    `- ${facts}`,
    ...listed('uses', assetTypes, ({ value, provenance }) => `${short(value)} (${provenance.source})`),
    ...listed('aliases', aliases, ({ value }) => short(value)),
    ...fieldLines(toBuildingSummary(page).fields, today),
    ...listed('venues', venues, ({ nameJa, nameEn }) => short(nameJa ?? nameEn ?? '')),
    ...attribution.map((credit) => creditLine(credit)),
  ]);
}

function buildingLine(page: BuildingPage): string {
  const address = page.fields.addressJa?.value;
  const uses = page.assetTypes.map(({ category }) => category).join(', ');
  const { prefecture, ward, machiAza } = page.location;
  const slugs = [prefecture, ward, machiAza].map(({ slug }) => slug).join('/');
  const known = address === undefined ? [] : [short(String(address))];
  return [nameOf(page), page.id, uses, ...known, slugs].join(' — ');
}
