import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type {
  Candidate,
  CanonicalEntry,
  CanonicalField,
  CanonicalVenue,
  Provenance,
} from '../../../vocabulary/canonical.ts';
import type { Field } from '../../../vocabulary/fields.ts';
import { measure } from '../../../vocabulary/geometry.ts';
import {
  type StatementChange,
  statementChanges,
  type VersionChange,
  versionChanges,
} from '../../../vocabulary/version-changes.ts';
import { markdownLink, markdownText } from '../../http/markdown.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { FIELD_LABELS, OTHER_CHANGES, SOURCE_NAMES } from '../catalogue/labels.ts';
import { recordLink, sourceLink } from '../evidence.ts';
import { dayElement, formatDayPlainly, formatField, languageOfWords, run, shorten } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { fieldLabel, figureOf, statedLanguage } from './figures.ts';
import { tabPath } from './header.ts';
import { type ShownBuilding, VERSIONS_SHOWN } from './shown-building.ts';

/** Statements that a change of evidence lists. */
const STATEMENTS_LISTED = 5;
/** Values of a list that a change names. */
const VALUES_NAMED = 10;

/** A version with its differences from the one before. */
export interface ShownVersion {
  version: number;
  recordedAt: string;
  isFirst: boolean;
  changedFields: readonly string[];
  values: VersionChange[];
  evidence: VersionChange[];
}

/** UI-24: the versions of a page of the history, with changes of value apart from changes of evidence. */
export function shownVersions({ building, versions }: ShownBuilding): ShownVersion[] {
  return versions.slice(0, VERSIONS_SHOWN).map(({ version, recordedAt, canonical }, i) => {
    const before = versions[i + 1];
    const isFirst = before === undefined;
    const changes = isFirst ? [] : versionChanges(before.canonical, canonical);
    const changedFields = building.history.find((entry) => entry.version === version)?.changedFields ?? [];
    return {
      version,
      recordedAt,
      isFirst,
      changedFields,
      values: changes.filter(({ kind }) => kind !== 'evidence'),
      evidence: changes.filter(({ kind }) => kind === 'evidence'),
    };
  });
}

export function historyTab(shown: ShownBuilding): Html {
  const { building, t } = shown;
  const versions = shownVersions(shown);
  return html`<section aria-labelledby="history"><h2 id="history">${t.history.history}</h2>
<p>${t.history.historyIntro}</p>
<ol class="timeline" reversed${raw(versions[0] === undefined ? '' : ` start="${versions[0].version}"`)}>${versions.map((version) => versionItem(shown, version))}</ol>
${pager(building, t, versions)}</section>`;
}

function versionItem(shown: ShownBuilding, of: ShownVersion): Html {
  const { t } = shown;
  const { version, recordedAt, isFirst, changedFields, values, evidence } = of;
  return html`<li class="version" id="version-${version}"><h3>${t.history.version(version)} ${dayElement(t, recordedAt)}</h3>
${isFirst && html`<p>${t.history.firstPublished(labels(shown, changedFields))}</p>`}
${
  values.length > 0 &&
  html`<table class="changes stacked"><caption>${t.history.values}</caption><thead><tr><th scope="col">${t.building.field}</th><th scope="col">${t.history.before}</th><th scope="col">${t.history.after}</th></tr></thead>
<tbody>${values.map(
    (change) => html`<tr><th scope="row">${label(shown, change.field)}</th>
<td data-label="${t.history.before}">${side(t, change, 'before')}</td>
<td data-label="${t.history.after}">${side(t, change, 'after')}</td></tr>`,
  )}</tbody></table>`
}
${
  evidence.length > 0 &&
  html`<details${raw(values.length === 0 ? ' open' : '')}><summary>${t.history.evidence}${t.building.colon}${labels(
    shown,
    evidence.map(({ field }) => field),
  )}</summary>
<ul>${evidenceGroups(t, evidence, HTML).map(({ fields, items }) => html`<li>${labels(shown, fields)}${t.building.colon}${joined(t, items)}</li>`)}</ul></details>`
}</li>`;
}

/** One side of a change of value, with its source. */
function side(t: Text, change: VersionChange, at: 'before' | 'after'): Html {
  if (isScalar(change)) {
    const field = change[at];
    if (field === null) return html`<span class="unknown">${t.history.none}</span>`;
    const { text, exact } = figureOf(t, change.field, field);
    const title = exact === undefined ? '' : html` title="${exact}"`;
    return html`<span class="figure"${title}>${run(t, text, statedLanguage(change.field, text))}</span> <span class="who">${recordLink(t, field.provenance)}</span>`;
  }
  const values = publishedValues(t, change, at);
  return values.length === 0
    ? html`<span class="unknown">${t.history.none}</span>`
    : html`${joined(
        t,
        values.map((text) => run(t, text, change.field === 'geometry' ? undefined : languageOfWords(text))),
      )}`;
}

type ScalarChange = Extract<VersionChange, { before: CanonicalField | null }>;
const isScalar = (change: VersionChange): change is ScalarChange =>
  !['aliases', 'assetTypes', 'geometry', 'venues'].includes(change.field);

/** What a side of a repeated field, the outline or the venues shows; only what the other side does not have. */
export function publishedValues(t: Text, change: VersionChange, at: 'before' | 'after'): string[] {
  if (change.field === 'geometry') {
    const shape = change[at];
    return shape === null ? [] : [formatField(t, 'footprintM2', measure(shape.geometry).areaM2, 'm2')];
  }
  if (isScalar(change)) return [];
  const other = new Set(valuesOf(change[at === 'before' ? 'after' : 'before']));
  const own = valuesOf(change[at]).filter((value) => !other.has(value));
  const named = own.slice(0, VALUES_NAMED).map((value) => shorten(value, 100));
  return own.length > named.length ? [...named, t.history.andMore(own.length - named.length)] : named;
}

function valuesOf(list: readonly (CanonicalEntry | CanonicalVenue)[] | null): string[] {
  return (list ?? []).map((item) =>
    'value' in item ? String(item.value) : (item.nameJa ?? item.nameEn ?? item.category),
  );
}

/** How HTML and Markdown write the parts of a sentence about evidence. */
interface Writer<T> {
  value(t: Text, change: ScalarChange, candidate: Candidate): T;
  source(t: Text, provenance: Provenance): T;
  day(t: Text, provenance: Provenance): T;
  sentence(words: readonly (T | string)[]): T;
}

const HTML: Writer<Html> = {
  value: (t, { field }, { value, unit }) => {
    const text = formatField(t, field, value, unit);
    return run(t, text, statedLanguage(field, text));
  },
  source: (t, provenance) => sourceLink(t, provenance),
  day: (t, { retrievedAt }) => dayElement(t, retrievedAt),
  sentence: (words) => html`${words}`,
};

export const MARKDOWN: Writer<string> = {
  value: (t, { field }, { value, unit }) => markdownText(figureOf(t, field, { value, unit }, 'markdown').text),
  source: (t, { source, sourceUrl, sourceRecordId }) =>
    source === 'dnk'
      ? SOURCE_NAMES[source][t.lang]
      : `${markdownLink(SOURCE_NAMES[source][t.lang], sourceUrl)} ${markdownText(sourceRecordId)}`,
  day: (t, { retrievedAt }) => formatDayPlainly(t, retrievedAt.slice(0, 10)),
  sentence: (words) => words.join(''),
};

interface EvidenceGroup<T> {
  fields: string[];
  items: T[];
}

/** UI-24: changes of evidence; fields for which the same happened are named together. */
export function evidenceGroups<T extends string | Html>(
  t: Text,
  changes: readonly VersionChange[],
  write: Writer<T>,
): EvidenceGroup<T>[] {
  const groups = new Map<string, EvidenceGroup<T>>();
  for (const change of changes) {
    const items = evidenceItems(t, change, write);
    const key = items.join('\n');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { fields: [change.field], items });
    else known.fields.push(change.field);
  }
  return [...groups.values()];
}

/** What a change of evidence consists of, record by record. */
function evidenceItems<T extends string | Html>(t: Text, change: VersionChange, write: Writer<T>): T[] {
  const changes = isScalar(change) ? statementChanges(change.before, change.after) : [];
  if (!isScalar(change) || changes.length === 0) return [write.sentence([t.history.otherEvidence])];
  const items = changes.slice(0, STATEMENTS_LISTED).map((each) => write.sentence(words(t, change, each, write) as T[]));
  const left = changes.length - items.length;
  return left > 0 ? [...items, write.sentence([t.history.andMore(left)])] : items;
}

function words<T extends string | Html>(t: Text, change: ScalarChange, each: StatementChange, write: Writer<T>) {
  const value = (candidate: Candidate) => write.value(t, change, candidate);
  const source = ({ provenance }: Candidate) => write.source(t, provenance);
  switch (each.kind) {
    case 'stated':
      return t.history.stated(value(each.after), source(each.after));
    case 'withdrawn':
      return t.history.withdrawn(value(each.before), source(each.before));
    case 'replaced':
      return t.history.replaced(value(each.before), value(each.after), source(each.after));
    case 'readAgain':
      return t.history.readAgain(source(each.before), write.day(t, each.after.provenance));
  }
}

const joined = (t: Text, items: readonly Html[]): Html =>
  html`${items.map((item, i) => html`${i > 0 && t.building.semicolon}${item}`)}`;

/** UI-20: the label of a changed field; that of a completion tells whether it is still to come, as in the overview. */
export function label({ building, t, today }: ShownBuilding, field: string): string {
  if (field in OTHER_CHANGES) return OTHER_CHANGES[field as keyof typeof OTHER_CHANGES][t.lang];
  return field in FIELD_LABELS ? fieldLabel(t, field as Field, building.fields, today) : field;
}

export const labels = (shown: ShownBuilding, fields: readonly string[]): string =>
  fields.map((field) => label(shown, field)).join(shown.t.building.comma);

/** Links to the versions before and after those shown. */
function pager({ path, history }: BuildingPage, t: Text, versions: readonly ShownVersion[]): Html | undefined {
  const latest = history[0]?.version ?? 1;
  const [first, last] = [versions[0]?.version ?? latest, versions.at(-1)?.version ?? 1];
  if (first === latest && last === 1) return undefined;
  const link = (from: number, text: string, rel: string) =>
    html`<a href="${historyPath(path, from, latest)}" rel="${rel}">${text}</a>`;
  return html`<nav class="pager" aria-label="${t.history.history}">${first < latest && link(Math.min(latest, first + VERSIONS_SHOWN), t.history.newer, 'prev')} ${last > 1 && link(last - 1, t.history.older, 'next')}</nav>`;
}

const historyPath = (path: string, from: number, latest: number) =>
  `${tabPath(path, 'history')}${from === latest ? '' : `&from=${from}`}`;
