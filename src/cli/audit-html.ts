import { createHash } from 'node:crypto';
import type { Audit, Audited } from '../audit/audit.ts';
import type { RawPiece } from '../audit/cut/piece.ts';
import { excerptOf, readable } from '../audit/excerpt.ts';
import { type Html, html, raw } from '../surfaces/pages/html.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';

/** The most bytes of one piece that the page shows; the archive has the rest. */
const MAX_BYTES = 200_000;
const SHORT = 700;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { border-top: 1px solid #c9d1d9; padding: .5rem; text-align: left; vertical-align: top }
th { position: sticky; top: 0; background: #fff }
col.number { width: 3rem } col.value { width: 15rem } col.rule { width: 15rem }
pre { margin: .25rem 0; padding: .5rem; background: #f3f5f7; white-space: pre-wrap; max-height: 40rem; overflow: auto }
.id, .place { color: #57606a; font-size: .85rem }
.fault { color: #b3261e; font-weight: 600 }
strong { font-size: 1.1rem }
@media (max-width: 700px) {
  body { margin: 1rem }
  table, tbody, tr, td { display: block }
  thead { display: none }
  tr { border-top: 1px solid #c9d1d9; padding: .5rem 0 }
  td { border: 0; padding: .25rem 0 }
  ul { padding-left: 1.25rem }
}
@media (prefers-color-scheme: dark) { body, th { color: #e6edf3; background: #0d1117 } pre { background: #161b22 } .id, .place { color: #8b949e } .fault { color: #ff7b72 } }
`;

/** SEC-01: the policy of the page allows this style and no other. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** AUD-05: an audit as one self-contained page, without scripts. */
export function auditPage({ audited, seed, looked, published }: Audit, at: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${STYLE_HASH}'">
<title>Audit of ${audited.length} values</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<h1>Audit of ${audited.length} published values</h1>
<p>Drawn at random from ${looked} of ${published} published buildings, at ${at}, with seed <code>${seed}</code>. Each value is
shown with the rule that chose it and the bytes of its source record in the archive.</p>
<table>
<colgroup><col class="number"><col class="value"><col class="rule"><col></colgroup>
<thead><tr><th>#</th><th>Published value</th><th>Rule and other values</th><th>Source record in the archive</th></tr></thead>
<tbody>
${audited.map(toRow)}</tbody>
</table>
</body>
</html>
`;
  return page.text;
}

function toRow(each: Audited, i: number): Html {
  const { value } = each;
  return html`<tr id="v${i + 1}"><td>${i + 1}</td>
<td>${value.kind}<br><strong>${value.text}</strong><br><span class="id">${formatAssetId(value.building)}</span></td>
<td>${ruleOf(each)}</td>
<td>${sourceOf(each)}</td></tr>
`;
}

function ruleOf({ value, reason }: Audited): Html {
  const others = value.alternatives.map(
    ({ text, provenance }) =>
      html`<li>${text} <span class="id">${provenance.source} ${provenance.sourceRecordId}</span></li>`,
  );
  const rule = reason.ok ? html`${reason.text}` : html`<span class="fault">${reason.text}</span>`;
  return others.length === 0 ? rule : html`${rule}<p>Other values:</p><ul>${others}</ul>`;
}

function sourceOf(each: Audited): Html {
  const { value, origin, pieces, fault, inputs } = each;
  const { source, sourceRecordId, retrievedAt } = value.provenance;
  // A record that was only consulted is published without its retrieval time.
  const at = retrievedAt || origin?.retrievals.at(-1);
  const computed = inputs.map(
    (input) => html`<h3>${input.value.kind} ${input.value.text}</h3><p>${ruleOf(input)}</p>${sourceOf(input)}`,
  );
  return html`<div>${source} <b>${sourceRecordId}</b>${at !== undefined && html`, retrieved ${at}`}</div>
${origin !== undefined && html`<div class="place">${origin.file}, archived as ${origin.sha256}</div>`}
${fault !== undefined && html`<div class="fault">${fault}</div>`}
${pieces.map((piece) => toPiece(piece, each))}${computed}`;
}

function toPiece(piece: RawPiece, { value }: Audited): Html {
  const place = html`<div class="place">${piece.what} at ${piece.at}, ${piece.bytes.length} bytes</div>`;
  if (piece.bytes.length <= SHORT) return html`${place}<pre>${readable(piece)}</pre>`;
  const left = piece.bytes.length - MAX_BYTES;
  const note = left > 0 ? html`<p>The archive has ${left} more bytes.</p>` : '';
  return html`${place}<pre>${excerptOf(piece, value)}</pre>
<details><summary>Complete record</summary><pre>${readable(piece, MAX_BYTES)}</pre>${note}</details>`;
}
