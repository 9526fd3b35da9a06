import type { SourcesEntry } from '../../../vocabulary/building-page.ts';
import { categoryOf } from '../../../vocabulary/categories.ts';
import { gradeDisagreement } from '../../../vocabulary/disagreement.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import { measure } from '../../../vocabulary/geometry.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS, OTHER_CHANGES, SOURCE_NAMES } from '../catalogue/labels.ts';
import { sourceChip } from '../evidence.ts';
import { dayElement, formatDayPlainly, formatField, formatFieldPlainly, run, shorten } from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import { figureOf } from './figures.ts';
import { disagreementText } from './losing-values.ts';
import { type RecordStatement, RecordStatements } from './record-statements.ts';
import type { ShownBuilding } from './shown-building.ts';

/** Names of venues that a statement lists. */
const VENUES_NAMED = 10;

/** UI-25: every source record that was consulted, with what it says and what became of it (SRC-01, SRC-02, SRC-03, SRC-04). */
export function sourcesTab({ building, current, t }: ShownBuilding): Html {
  const statements = current && new RecordStatements(current);
  return html`<section aria-labelledby="sources"><h2 id="sources">${t.history.sources}</h2>
<p>${t.history.sourcesIntro((text) => html`<a href="/japan/about#precedence">${text}</a>`)}</p>
${building.sources.map((entry) => sourceRecord(t, entry, statements?.of(entry) ?? []))}
</section>`;
}

function sourceRecord(
  t: Text,
  { source, sourceRecordId, sourceUrl }: SourcesEntry,
  said: readonly RecordStatement[],
): Html {
  const url = safeLink(sourceUrl);
  const record =
    url === undefined
      ? html`${sourceRecordId}`
      : html`<a href="${url}" rel="nofollow noopener external">${sourceRecordId}</a>`;
  return html`<section class="record"><h3>${sourceChip(source, t.lang)} ${record}</h3>
${readOn(t, said)}
${
  said.length === 0
    ? html`<p class="unknown">${t.history.noStatement}</p>`
    : html`<table class="statements labelled"><thead><tr><th scope="col">${t.building.field}</th><th scope="col">${t.history.says}</th><th scope="col">${t.history.outcome}</th></tr></thead>
<tbody>${said.map(
        (statement) => html`<tr class="${outcomeClass(statement)}"><th scope="row">${statementLabel(t, statement)}</th>
<td data-label="${t.history.says}">${run(t, statementText(t, statement, 'html'))}</td>
<td data-label="${t.history.outcome}">${outcomeText(t, statement, 'html')}</td></tr>`,
      )}</tbody></table>`
}</section>`;
}

/** A slight difference is not marked. */
function outcomeClass({ said, outcome }: RecordStatement): string {
  if (outcome.kind !== 'differs' || !('candidate' in said)) return outcome.kind;
  const { kind } = gradeDisagreement(said.field as ScalarField, outcome.published.value, said.candidate.value);
  return kind === 'slight' ? 'slight' : 'differs';
}

/** When the statements of a record were retrieved. */
function readOn(t: Text, said: readonly RecordStatement[]): Html | undefined {
  const [first, last] = readBetween(said);
  if (first === undefined || last === undefined) return undefined;
  const words = first === last ? t.history.readOn('\0') : t.history.readBetween('\0', '\0');
  const days = [dayElement(t, first), dayElement(t, last)];
  return html`<p class="aside">${words.split('\0').map((word, i) => html`${i > 0 && days[i - 1]}${word}`)}</p>`;
}

/** The first and the last day on which the statements of a record were retrieved. */
function readBetween(said: readonly RecordStatement[]): (string | undefined)[] {
  const days = said.map(({ provenance }) => provenance.retrievedAt.slice(0, 10)).sort();
  return [days[0], days.at(-1)];
}

export function statementLabel(t: Text, { said }: RecordStatement): string {
  const label =
    said.field === 'geometry' || said.field === 'venues'
      ? OTHER_CHANGES[said.field]
      : FIELD_LABELS[said.field as Field];
  return label[t.lang];
}

/** What a record says, in the form of the page or of its Markdown twin. */
export function statementText(t: Text, { said }: RecordStatement, form: 'html' | 'markdown'): string {
  if ('geometry' in said) return formatField(t, 'footprintM2', measure(said.geometry).areaM2, 'm2');
  if ('names' in said) {
    const named = said.names.slice(0, VENUES_NAMED).map((name) => shorten(name, 60));
    const left = said.names.length - named.length;
    const names = [...named, ...(left > 0 ? [t.history.andMore(left)] : [])].join(t.building.comma);
    return t.history.venuesOf(t.counts.venues(said.names.length), names);
  }
  const { field, candidate } = said;
  const { value, unit } = candidate;
  if (field === 'aliases') return String(value);
  if (field === 'assetTypes') {
    return t.building.title(CATEGORY_LABELS[categoryOf(String(value))][t.lang], String(value));
  }
  return figureOf(t, field, { value, unit, estimated: candidate.provenance.source === 'dnk' }, form).text;
}

export function outcomeText(t: Text, { said, outcome }: RecordStatement, form: 'html' | 'markdown'): string {
  switch (outcome.kind) {
    case 'published':
      return t.history.published;
    case 'agrees':
      return t.history.agrees;
    case 'complex':
      return t.history.ofComplex;
    case 'otherOutline':
      return t.history.otherOutline;
    case 'differs': {
      if (!('candidate' in said) || said.field === 'aliases' || said.field === 'assetTypes')
        return t.history.notPublished;
      const { value, unit, provenance } = outcome.published;
      const how = disagreementText(t, gradeDisagreement(said.field, value, said.candidate.value));
      const format = form === 'html' ? formatField : formatFieldPlainly;
      const published = format(t, said.field, value, unit);
      return t.history.differsFrom(how, t.building.title(published, SOURCE_NAMES[provenance.source][t.lang]));
    }
  }
}

export const readText = (t: Text, said: readonly RecordStatement[]): string => {
  const [first, last] = readBetween(said).map((day) => day && formatDayPlainly(t, day));
  if (first === undefined || last === undefined) return '';
  return first === last ? first : `${first} – ${last}`;
};
