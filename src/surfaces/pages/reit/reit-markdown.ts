import { AMOUNT_BASIS } from '../../../reit/publication/describe-interest.ts';
import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import {
  type HoldingHistory,
  historyForBuilding,
  type PublicationHistory,
  type ReitHistories,
} from './publication-history.ts';
import {
  dayText,
  endText,
  exactText,
  METRIC_LABELS,
  NO_AUDIT,
  NONE_ACCEPTED,
  shareText,
  UNAVAILABLE,
} from './reit-text.ts';

/** REIT-15: the REIT section of a Markdown twin. */
export function reitMarkdown(publications: ReitHistories, buildingId: string): string {
  if (publications === 'unavailable') return UNAVAILABLE;
  if (publications.length === 0) return NONE_ACCEPTED;
  return publications
    .map((publication) => publicationMarkdown(historyForBuilding(publication, buildingId)))
    .join('\n\n');
}

function publicationMarkdown({
  id,
  computedAt,
  issuer,
  holdings,
  citations,
  attributions,
}: PublicationHistory): string {
  return [
    `### ${markdownText(issuer.nameJa)}`,
    `- Publication: \`${id}\`\n- Computed: ${markdownText(computedAt)}\n- EDINET code: ${markdownText(issuer.edinetCode)}`,
    NO_AUDIT,
    ...holdings.flatMap(holdingBlocks),
    '#### Citations',
    citations
      .map(({ sourceUrl, locator, title }, i) => {
        return `${i + 1}. ${markdownLink(title ?? sourceUrl, sourceUrl)}, ${markdownText(locator)}`;
      })
      .join('\n'),
    `Attribution: ${markdownText(attributions.join('; '))}`,
  ].join('\n\n');
}

function holdingBlocks({ holding, interest, latest, rows, transactions, ownership }: HoldingHistory): string[] {
  const figures = rows.flatMap(({ metric, cells }) =>
    cells.map(({ period, field, cited }) => [
      markdownText(`${period.labelJa} (${period.startDate} to ${period.endDate})`),
      `\`${metric}\` ${METRIC_LABELS[metric].en} ${METRIC_LABELS[metric].ja}`,
      exactText(field.value),
      field.value?.state ?? field.status,
      field.status,
      citationNumbers(cited),
    ]),
  );
  const held = `held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`;
  return [
    `#### ${markdownText(holding.nameJa)} (${markdownText(holding.propertyCode)})`,
    `${interest}, ${held}. Amounts are for ${AMOUNT_BASIS[holding.amountBasis]}.`,
    ...(latest === undefined
      ? []
      : [markdownText(`Latest figures: ${latest.labelJa} (${latest.startDate} to ${latest.endDate}).`)]),
    figures.length === 0
      ? 'No figures published'
      : markdownTable(['Period', 'Metric', 'Value', 'State', 'Agreement', 'Sources'], figures),
    '##### Transactions',
    transactions.length === 0
      ? 'None recorded'
      : markdownTable(
          ['Type', 'Contract date', 'Delivery date', 'Share', 'Price', 'Counterparty', 'Sources'],
          transactions.map((row) => [
            markdownText(row.type),
            dayText(row.contractDate),
            dayText(row.deliveryDate),
            shareText(row.shareDelta),
            exactText(row.price) || row.price.state,
            markdownText(row.counterparty ?? ''),
            citationNumbers(row.cited),
          ]),
        ),
    '##### Ownership',
    ownership.length === 0
      ? 'None recorded'
      : markdownTable(
          ['From', 'To', 'Share', 'Trustee', 'Property manager', 'Sources'],
          ownership.map((row) => [
            row.from,
            endText(row.to),
            shareText(row.share),
            markdownText(row.trustee ?? ''),
            markdownText(row.propertyManager ?? ''),
            citationNumbers(row.cited),
          ]),
        ),
  ];
}

const citationNumbers = (cited: readonly number[]): string => cited.join(', ');
