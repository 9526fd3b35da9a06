import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { NO_ENDPOINT, refuse } from '../../http/refuse.ts';
import { REVALIDATE, sendFinished } from '../../http/send-finished.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { formatCount } from '../catalogue/counts.ts';
import { type Html, html } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import type { Page } from '../layout.ts';
import { type PageContext, sendPage, toFinished } from '../send-page.ts';
import { DOWNLOADS, dataCatalogue, dcatCatalogue } from './describe-data.ts';
import { type Exported, type ExportedFile, MANIFEST, manifestReader } from './manifest.ts';
import { sendFile } from './send-file.ts';

const DCAT = `${DOWNLOADS}.jsonld`;

/** By the ending of a file. */
const TYPES: Readonly<Record<string, string>> = {
  '.parquet': 'application/vnd.apache.parquet',
  '.csv': 'text/csv; charset=utf-8; header=present',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.geojson': 'application/geo+json',
  '.pmtiles': 'application/vnd.pmtiles',
  '.json': 'application/json; charset=utf-8',
};
const typeOf = (name: string) => TYPES[extname(name)] ?? 'application/octet-stream';

/** Programs of any origin may read parts of the files. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, Accept-Ranges, ETag, Last-Modified, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

/** DWN-01 to DWN-04: the files of `tatemono export`, if `EXPORT_DIR` names their folder. */
export function downloadRoutes(app: FastifyInstance, { settingsOf }: PageContext, folder: string | undefined): void {
  if (folder === undefined) return;
  const readManifest = manifestReader(folder);
  endpoint(app, DOWNLOADS, async (request, reply) => {
    const settings = await settingsOf(request);
    return sendPage(request, reply, compose(settings.t, settings.origin, await readManifest()), settings);
  });
  endpoint(app, DCAT, async (request, reply) => {
    const { t, origin } = await settingsOf(request);
    const catalogue = dcatCatalogue(t, origin, await readManifest(), typeOf);
    const representation = { type: 'application/ld+json; charset=utf-8', caching: REVALIDATE };
    return sendFinished(request, reply.headers(OPEN_HEADERS), toFinished(JSON.stringify(catalogue)), representation);
  });
  endpoint(app, `${DOWNLOADS}/:name`, async (request, reply) => {
    const { name } = request.params as { name: string };
    const isOffered = name === MANIFEST || (await readManifest())?.files.some((file) => file.name === name);
    const sent = isOffered
      ? await sendFile(request, reply.headers(OPEN_HEADERS), join(folder, name), typeOf(name))
      : undefined;
    return sent ?? refuse(reply, 404, NO_ENDPOINT);
  });
}

function compose(t: Text, origin: string, exported: Exported | undefined): Page {
  const { downloads } = t;
  return {
    title: downloads.title,
    description: downloads.description,
    canonical: DOWNLOADS,
    section: 'about',
    files: [{ type: 'application/ld+json', path: DCAT }],
    jsonLd: (publicOrigin) => dataCatalogue(t, publicOrigin, exported, typeOf),
    main: html`<article class="prose">
<h1>${downloads.title}</h1>
<p class="lead">${downloads.lead}</p>
${exported === undefined || exported.files.length === 0 ? html`<p>${downloads.nothing}</p>` : content(t, origin, exported)}
</article>`,
  };
}

function content(t: Text, origin: string, { files, day }: Exported): Html {
  const { downloads } = t;
  return html`<p>${downloads.exportedOn(day)} <a href="${DOWNLOADS}/${MANIFEST}">${downloads.manifest}</a></p>
<section aria-labelledby="files"><h2 id="files">${downloads.files}</h2>
${labelledTable(
  downloads.files,
  [downloads.file, downloads.what, downloads.count, downloads.size, downloads.licences],
  files.map((file) => row(t, file)),
)}
<p>${downloads.licenceNote((text) => html`<a href="/japan/about#sources">${text}</a>`)}</p></section>
<section aria-labelledby="open"><h2 id="open">${downloads.open}</h2>
${examples(t, origin, files)}</section>`;
}

const row = (t: Text, { name, bytes, count, licences, sha256 }: ExportedFile): Html[] => [
  html`<a href="${DOWNLOADS}/${name}" download>${name}</a>`,
  html`${t.downloads.contents(name)}`,
  html`${formatCount(count)}`,
  html`<span title="SHA-256 ${sha256}">${sizeOf(bytes)}</span>`,
  html`${licences.join(', ')}`,
];

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Three digits at most, in powers of ten. */
export function sizeOf(bytes: number): string {
  let [value, step] = [bytes, 0];
  for (; Number(value.toPrecision(3)) >= 1_000 && step < UNITS.length - 1; step++) value /= 1_000;
  return `${Number(value.toPrecision(3))} ${UNITS[step]}`;
}

/** How each program opens the first file of a form that it can read. */
function examples(t: Text, origin: string, files: readonly ExportedFile[]): Html {
  const find = (pattern: RegExp) => files.find(({ name }) => pattern.test(name))?.name;
  const parquet = find(/^buildings.*\.parquet$/);
  const tiles = find(/\.pmtiles$/);
  const geojson = find(/\.geojson$/);
  const shown: [title: string, text: string, code: string][] = [];
  if (parquet !== undefined) {
    const url = `${origin}${DOWNLOADS}/${parquet}`;
    shown.push(
      [
        'DuckDB',
        t.downloads.duckdb,
        `INSTALL spatial; LOAD spatial;\nSELECT id, nameJa, heightM, heightM_source\nFROM '${url}'\nWHERE bbox.xmin > 139.74 AND bbox.xmax < 139.78\n  AND bbox.ymin > 35.65 AND bbox.ymax < 35.69\nORDER BY heightM DESC NULLS LAST LIMIT 10;`,
      ],
      [
        'Python',
        t.downloads.python,
        `import geopandas\nbuildings = geopandas.read_parquet("${parquet}")\nprint(buildings[["id", "nameJa", "heightM", "heightM_source"]].head())`,
      ],
      [
        'R',
        t.downloads.r,
        `library(arrow)\nbuildings <- read_parquet("${parquet}")\nhead(buildings[, c("id", "nameJa", "heightM", "heightM_source")])`,
      ],
    );
  }
  const qgis = parquet ?? geojson;
  if (qgis !== undefined) shown.push(['QGIS', t.downloads.qgis, `/vsicurl/${origin}${DOWNLOADS}/${qgis}`]);
  if (tiles !== undefined) {
    shown.push([
      'MapLibre',
      t.downloads.maplibre,
      `{ "type": "vector", "url": "pmtiles://${origin}${DOWNLOADS}/${tiles}" }`,
    ]);
  }
  return html`${shown.map(
    ([title, text, code]) => html`<h3>${title}</h3><p>${text}</p><pre tabindex="0"><code>${code}</code></pre>`,
  )}`;
}
