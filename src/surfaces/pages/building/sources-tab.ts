import type { SourcesEntry } from '../../../vocabulary/building-page.ts';
import { categoryOf } from '../../../vocabulary/categories.ts';
import { gradeDisagreement } from '../../../vocabulary/disagreement.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { measure } from '../../../vocabulary/geometry.ts';
import { API_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import { sourceChip } from '../evidence.ts';
import {
  dayElement,
  formatDayPlainly,
  formatField,
  formatFieldPlainly,
  langAttribute,
  languageOfWords,
  run,
  runs,
  shorten,
} from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import { figureOf, statedLanguage } from './figures.ts';
import { label } from './history-tab.ts';
import { disagreementText } from './losing-values.ts';
import { type RecordStatement, RecordStatements } from './record-statements.ts';
import type { ShownBuilding } from './shown-building.ts';

/** Names of venues that a statement lists. */
const VENUES_NAMED = 10;

/** UI-25: every source record that was consulted, with what it says and what became of it (SRC-01, SRC-02, SRC-03, SRC-04). */
export function sourcesTab(shown: ShownBuilding): Html {
  const { building, current, t } = shown;
  const statements = current && new RecordStatements(current);
  return html`<section aria-labelledby="sources"><h2 id="sources">${t.history.sources}</h2>
<p>${t.history.sourcesIntro((text) => html`<a href="/japan/about#precedence">${text}</a>`)}</p>
${building.sources.map((entry) => sourceRecord(shown, entry, statements?.of(entry) ?? []))}
</section>`;
}

function sourceRecord(
  shown: ShownBuilding,
  { source, sourceRecordId, sourceUrl }: SourcesEntry,
  said: readonly RecordStatement[],
): Html {
  const { t } = shown;
  const url = safeLink(sourceUrl);
  const record =
    url === undefined
      ? run(t, sourceRecordId)
      : html`<a href="${url}" rel="nofollow noopener external"${langAttribute(t, sourceRecordId)}>${sourceRecordId}</a>`;
  return html`<section class="record"><h3>${sourceChip(source, t.lang)} ${record}</h3>
<p class="aside">${readOn(t, said)}<a href="${lookUpPath(source, sourceRecordId)}" rel="nofollow">${t.history.lookUp}</a></p>
${
  said.length === 0
    ? html`<p class="unknown">${t.history.noStatement}</p>`
    : html`<table class="statements stacked"><thead><tr><th scope="col">${t.building.field}</th><th scope="col">${t.history.says}</th><th scope="col">${t.history.outcome}</th></tr></thead>
<tbody>${said.map(
        (
          statement,
        ) => html`<tr class="${outcomeClass(statement)}"><th scope="row">${label(shown, statement.said.field)}</th>
<td data-label="${t.history.says}">${statementMarkup(shown, statement)}</td>
<td data-label="${t.history.outcome}">${outcomeMarkup(t, statement)}</td></tr>`,
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
  return html`${words.split('\0').map((word, i) => html`${i > 0 && days[i - 1]}${word}`)} · `;
}

/** REF-01 */
const lookUpPath = (source: string, id: string): string =>
  `${API_ROOT}/source-records?${new URLSearchParams({ source, id })}`;

/** The first and the last day on which the statements of a record were retrieved. */
function readBetween(said: readonly RecordStatement[]): (string | undefined)[] {
  const days = said.map(({ provenance }) => provenance.retrievedAt.slice(0, 10)).sort();
  return [days[0], days.at(-1)];
}

/** UI-07: what a record says, with marks on text in another language. */
function statementMarkup({ t }: ShownBuilding, statement: RecordStatement): Html {
  const { said } = statement;
  const text = statementText(t, statement, 'html');
  if (said.field === 'venues') return runs(t, text);
  if (said.field === 'assetTypes' && 'candidate' in said) {
    const recorded = String(said.candidate.value);
    const [before, after] = useText(t, recorded, '\0').split('\0');
    return html`${before}${run(t, recorded, languageOfWords(recorded))}${after}`;
  }
  return run(t, text, statedLanguage(said.field, text));
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
  if (field === 'assetTypes') return useText(t, String(value));
  return figureOf(t, field, { value, unit, estimated: candidate.provenance.source === 'dnk' }, form).text;
}

/** The category of a recorded use, and the use as recorded. */
const useText = (t: Text, recorded: string, shown = recorded): string =>
  t.building.title(CATEGORY_LABELS[categoryOf(recorded)][t.lang], shown);

/** UI-07: what became of a statement, with a mark on a published value in another language. */
function outcomeMarkup(t: Text, statement: RecordStatement): Html {
  const [before, after] = outcomeText(t, statement, () => '\0').split('\0');
  const { said, outcome } = statement;
  if (after === undefined || outcome.kind !== 'differs') return html`${before}`;
  const { value, unit } = outcome.published;
  const published = formatField(t, said.field as ScalarField, value, unit);
  return html`${before}${run(t, published, statedLanguage(said.field, published))}${after}`;
}

export function outcomeText(
  t: Text,
  { said, outcome }: RecordStatement,
  format: typeof formatField = formatFieldPlainly,
): string {
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
