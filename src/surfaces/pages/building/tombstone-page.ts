import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayInJapan } from '../../../vocabulary/time.ts';
import type { Tombstone } from '../../../vocabulary/tombstone.ts';
import { markdownLink, markdownText } from '../../http/markdown.ts';
import { hubPath } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { formatDay, formatDayPlainly, langAttribute, languageOfWords, run, shorten } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { PageSettings } from '../page-settings.ts';
import { recoveryLinks, recoveryMarkdown } from '../refusal.ts';
import { sendMissing } from '../send-page.ts';
import { shortName } from './names.ts';

/** UI-26: 404 with what is known about a retired building, as a page or as Markdown. Search engines do not index it. */
export function sendTombstone(
  request: FastifyRequest,
  reply: FastifyReply,
  tombstone: Tombstone,
  settings: PageSettings,
  wantsMarkdown: boolean,
): FastifyReply {
  return wantsMarkdown
    ? sendMissing(request, reply, { markdown: tombstoneMarkdown(settings, tombstone) }, settings)
    : sendMissing(request, reply, { page: tombstonePage(settings.t, tombstone) }, settings);
}

function nameOf(t: Text, { last }: Tombstone): string {
  return shorten(last?.nameJa ?? last?.nameEn ?? t.building.unnamed, 120);
}

type Row = [label: string, text: string, stated?: 'en'];

/** The rows of what it was: a label and a text, which may be in another language. */
function rowsOf(t: Text, { id, last }: Tombstone, day: (instant: string) => string): Row[] {
  const { tombstone } = t;
  if (last === null) return [[tombstone.id, id]];
  const { nameJa, nameEn, addressJa, categories, yearBuilt, completionMonth } = last;
  const uses = categories.map((category) => CATEGORY_LABELS[category][t.lang]).join(t.building.comma);
  return [
    [tombstone.id, id],
    ...(nameJa === null ? [] : [[tombstone.name, nameJa] as Row]),
    ...(nameEn === null ? [] : [[t.building.englishName, nameEn, 'en'] as Row]),
    ...(addressJa === null ? [] : [[tombstone.address, addressJa] as Row]),
    [tombstone.uses, uses],
    ...(yearBuilt === null ? [] : [[tombstone.yearBuilt, String(yearBuilt)] as Row]),
    ...(completionMonth === null ? [] : [[tombstone.completion, day(completionMonth)] as Row]),
    [tombstone.recorded, day(last.firstRecordedAt.slice(0, 10))],
    [tombstone.lastVersion, tombstone.versionOf(last.version, day(last.recordedAt.slice(0, 10)))],
  ];
}

function summary(t: Text, { retiredAt, mergedInto }: Tombstone, day: (instant: string) => string): string {
  const when = day(dayInJapan(retiredAt));
  return mergedInto === null ? t.tombstone.retired(when) : t.tombstone.merged(when, mergedInto);
}

function tombstonePage(t: Text, tombstone: Tombstone): Page {
  const name = nameOf(t, tombstone);
  const day = (instant: string) => formatDay(t, instant);
  const { last, reason, nearby } = tombstone;
  const areas = last?.areas ?? null;
  const stated = last?.nameJa == null && last?.nameEn != null ? 'en' : undefined;
  return {
    title: t.tombstone.title(name),
    description: `${name}${t.building.colon}${summary(t, tombstone, day)}`,
    section: 'buildings',
    main: html`<div class="tombstone"><p class="status">404 ${t.refusal.title(404)}</p><h1><span${langAttribute(t, name, stated)}>${name}</span> <span class="flag">${t.tombstone.heading}</span></h1>
<p class="notice">${summary(t, tombstone, day)}${t.building.gap}${t.tombstone.noSuccessor}</p>
<dl class="remains"><div><dt>${t.tombstone.reason}</dt><dd>${reason === null ? t.tombstone.noReason : run(t, reason, languageOfWords(reason))}</dd></div></dl>
<h2>${t.tombstone.was}</h2>
${last === null && html`<p class="unknown">${t.tombstone.neverPublished}</p>`}
<dl class="remains">${rowsOf(t, tombstone, day).map(
      ([label, text, stated]) => html`<div><dt>${label}</dt><dd>${run(t, text, stated)}</dd></div>`,
    )}${areas !== null && html`<div><dt>${t.tombstone.area}</dt><dd>${areaLink(t, areas)}</dd></div>`}</dl>
${
  nearby.length > 0 &&
  html`<section aria-labelledby="nearby"><h2 id="nearby">${t.tombstone.nearby}</h2><ol class="near">${nearby.map(
    ({ path, category, distanceM, ...names }) =>
      html`<li><a href="${path}">${shortName(t, names)}</a> <span class="aside">${CATEGORY_LABELS[category][t.lang]} · ${Math.round(distanceM)} m</span></li>`,
  )}</ol></section>`
}
${recoveryLinks(t)}</div>`,
  };
}

type Areas = NonNullable<NonNullable<Tombstone['last']>['areas']>;

function areaLink(t: Text, areas: Areas): Html {
  return html`<a href="${hubPath(areas)}">${run(t, areaText(t, areas))}</a>`;
}

const areaText = (t: Text, areas: Areas): string =>
  t.lang === 'ja'
    ? areas.map(({ nameJa }) => nameJa).join('')
    : [...areas]
        .reverse()
        .map(({ nameJa, nameEn }) => nameEn ?? nameJa)
        .join(', ');

/** MD-02: with everything that a Markdown 404 has. */
function tombstoneMarkdown({ t, origin }: PageSettings, tombstone: Tombstone): string {
  const day = (instant: string) => formatDayPlainly(t, instant);
  const { reason, nearby, last } = tombstone;
  const areas = last?.areas ?? null;
  const { colon } = t.building;
  const rows = [...rowsOf(t, tombstone, day), [t.tombstone.reason, reason ?? t.tombstone.noReason] as Row].map(
    ([label, text]) => `- ${label}${colon}${markdownText(text)}`,
  );
  if (areas !== null)
    rows.push(`- ${t.tombstone.area}${colon}${markdownLink(areaText(t, areas), `${origin}${hubPath(areas)}`)}`);
  const around = nearby.map(({ id, path, nameJa, nameEn, distanceM }) => {
    return `- ${markdownLink(nameJa ?? nameEn ?? id, `${origin}${path}`)}${t.building.comma}${Math.round(distanceM)} m`;
  });
  return [
    `# 404 ${t.refusal.title(404)}`,
    t.refusal.detail(404, ''),
    `## ${markdownText(t.tombstone.title(nameOf(t, tombstone)))}`,
    `${summary(t, tombstone, day)}${t.building.gap}${t.tombstone.noSuccessor}`,
    ...(last === null ? [t.tombstone.neverPublished] : []),
    rows.join('\n'),
    ...(around.length > 0 ? [`### ${t.tombstone.nearby}`, around.join('\n')] : []),
    recoveryMarkdown(t),
  ].join('\n\n');
}
