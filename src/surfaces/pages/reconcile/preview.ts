import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { displayAddress, displayName } from '../building/names.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { run } from '../format.ts';
import { html } from '../html.ts';
import type { PageSettings } from '../page-settings.ts';
import { shownValue } from '../shown-value.ts';
import { STATIC_PATHS } from '../static-files.ts';

/** Other sites may show a preview in a frame; everything else is as strict as on other pages. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ');

const SHOWN: readonly ScalarField[] = ['yearBuilt', 'floorsAbove', 'heightM', 'gfaM2', 'ownerPublic'];

/** RCN-08: a small page about a building for a frame. */
export function renderPreview(page: BuildingPage, { origin, t, today }: PageSettings): string {
  const name = displayName(page, t);
  const uses = page.assetTypes
    .map(({ category }) => CATEGORY_LABELS[category][t.lang])
    .join(t.lang === 'ja' ? '、' : ', ');
  const figures = SHOWN.flatMap((field) => {
    const shown = shownValue(t, field, page, today);
    return shown === undefined ? [] : [{ label: FIELD_LABELS[field][t.lang], ...shown }];
  });
  return html`<!doctype html>
<html lang="${t.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name.text}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STATIC_PATHS.stylesheet}">
</head>
<body class="preview">
<main>
<h1>${run(t, name.text, name.lang === 'en' ? 'en' : undefined)}</h1>
${name.also !== undefined && html`<p>${run(t, name.also, 'en')}</p>`}
<p>${run(t, displayAddress(page))}</p>
<dl>
<dt>${FIELD_LABELS.assetTypes[t.lang]}</dt><dd>${uses}</dd>
${figures.map(
  ({ label, text, marks }) => html`<dt>${label}</dt><dd>${text}${marks.map((mark) => html` (${mark})`)}</dd>
`,
)}</dl>
<p><a href="${origin}${page.path}" target="_blank" rel="noopener">${t.reconcile.open}</a> <code>${page.id}</code></p>
</main>
</body>
</html>
`.toString();
}
