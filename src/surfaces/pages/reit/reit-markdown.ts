import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { API_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { METRIC_LABELS } from '../catalogue/labels.ts';
import { formatDayPlainly } from '../format.ts';
import { html } from '../html.ts';
import {
  formsOf,
  type HoldingHistory,
  historyForBuilding,
  type PublicationHistory,
  type ReitHistories,
} from './publication-history.ts';
import { creditsText, exactText, metricLabel, shareText, transactionType } from './reit-text.ts';

/** REIT-15: the REIT section of a Markdown twin. */
export function reitMarkdown(t: Text, publications: ReitHistories, buildingId: string, origin: string): string {
  if (publications === 'unavailable') return t.reit.unavailable;
  if (publications.length === 0) return t.reit.noneAccepted;
  return publications
    .flatMap((publication) => [
      publicationMarkdown(t, historyForBuilding(publication, buildingId)),
      ...downloads(t, buildingId, origin, formsOf(publication)),
    ])
    .join('\n\n');
}

/** UI-63: only the forms that the permissions of the publication allow. */
function downloads(t: Text, id: string, origin: string, forms: ReturnType<typeof formsOf>): string[] {
  if (forms.length === 0) return [];
  const links = forms.map(({ name, path }) => `[${t.reit.forms[name]}](${origin}${API_ROOT}/assets/${id}/${path})`);
  return [`${t.reit.downloads}${t.building.colon}${links.join(t.reit.separator)}`];
}

function publicationMarkdown(
  t: Text,
  { id, computedAt, issuer, holdings, citations, attributions }: PublicationHistory,
): string {
  const { reit } = t;
  const { colon } = t.building;
  return [
    `### ${markdownText(issuer.nameJa)}`,
    `- ${reit.publicationId}${colon}\`${id}\`\n- ${reit.computed}${colon}${markdownText(computedAt)}\n- ${reit.edinetCode}${colon}${markdownText(issuer.edinetCode)}`,
    reit.noAudit,
    ...holdings.flatMap((history) => holdingBlocks(t, history)),
    `#### ${reit.citations}`,
    citations
      .map(({ sourceUrl, locator, title }, i) => {
        return `${i + 1}. ${markdownLink(title ?? sourceUrl, sourceUrl)}${reit.separator}${markdownText(locator)}`;
      })
      .join('\n'),
    `${reit.attribution}${colon}${markdownText(creditsText(t, attributions))}`,
  ].join('\n\n');
}

function holdingBlocks(
  t: Text,
  { holding, coverage, latest, rows, transactions, ownership }: HoldingHistory,
): string[] {
  const { reit } = t;
  const day = (iso: string) => html`${formatDayPlainly(t, iso)}`;
  const dayOr = (iso: string | null, otherwise: string) => (iso === null ? otherwise : day(iso).text);
  const dates = (from: string, to: string) => reit.dates(day(from), day(to)).text;
  const figures = rows.flatMap(({ metric, cells }) =>
    cells.map(({ period, field, cited }) => [
      markdownText(`${period.labelJa} (${dates(period.startDate, period.endDate)})`),
      `\`${metric}\` ${metricLabel(t, metric)}${t.lang === 'en' ? ` ${METRIC_LABELS[metric].ja}` : ''}`,
      exactText(t, field.value),
      field.value?.state ?? field.status,
      field.status,
      citationNumbers(cited),
    ]),
  );
  const interest = html`${reit.interest(coverage, holding.interest)}`;
  const held = reit.held(interest, day(holding.heldFrom), holding.heldTo === null ? undefined : day(holding.heldTo));
  return [
    `#### ${markdownText(holding.nameJa)} (${markdownText(holding.propertyCode)})`,
    `${held.text}${t.building.gap}${reit.amounts(holding.amountBasis)}`,
    ...(latest === undefined
      ? []
      : [markdownText(reit.latestLine(latest.labelJa, dates(latest.startDate, latest.endDate)))]),
    figures.length === 0
      ? reit.noFigures
      : markdownTable([reit.period, reit.metric, reit.value, reit.state, reit.agreement, reit.sources], figures),
    `##### ${reit.transactions}`,
    transactions.length === 0
      ? reit.noneRecorded
      : markdownTable(
          [reit.type, reit.contractDate, reit.deliveryDate, reit.share, reit.price, reit.counterparty, reit.sources],
          transactions.map((row) => [
            markdownText(transactionType(t, row.type)),
            dayOr(row.contractDate, reit.notStated),
            dayOr(row.deliveryDate, reit.notStated),
            shareText(t, row.shareDelta),
            exactText(t, row.price) || row.price.state,
            markdownText(row.counterparty ?? ''),
            citationNumbers(row.cited),
          ]),
        ),
    `##### ${reit.ownership}`,
    ownership.length === 0
      ? reit.noneRecorded
      : markdownTable(
          [reit.from, reit.to, reit.share, reit.trustee, reit.propertyManager, reit.sources],
          ownership.map((row) => [
            day(row.from).text,
            dayOr(row.to, reit.ongoing),
            shareText(t, row.share),
            markdownText(row.trustee ?? ''),
            markdownText(row.propertyManager ?? ''),
            citationNumbers(row.cited),
          ]),
        ),
  ];
}

const citationNumbers = (cited: readonly number[]): string => cited.join(', ');
