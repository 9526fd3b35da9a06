import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { endpoint } from '../endpoint.ts';
import { REVALIDATE, sendFinished } from '../send-finished.ts';
import { API_ROOT } from '../surface.ts';
import { IMMUTABLE, makePageFile, type PageFile } from './page-file.ts';

const PAGE = '/japan/api';
const DOCUMENT = `${API_ROOT}/openapi.json`;
const ASSETS = '/japan/assets/api-reference';
const LIBRARY = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The library colours and sizes its parts by style attributes; scripts and requests stay with this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const START = `
SwaggerUIBundle({
  url: document.getElementById('reference').dataset.document,
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  supportedSubmitMethods: ['get'],
  syntaxHighlight: { theme: 'idea' },
  validatorUrl: null,
});
`;

const STYLE = `
:root { color-scheme: light; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: #1f2933; background: #fff; overflow-wrap: anywhere; }
header, noscript { display: block; max-width: 1460px; margin: 0 auto; padding: 24px 20px 0; box-sizing: border-box; }
header h1 { margin: 0; font-size: 28px; line-height: 1.3; }
header p { margin: 8px 0 0; max-width: 70ch; }
header a { color: #0b5cad; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info hgroup.main, .swagger-ui .info__summary, .swagger-ui .info__license { display: none; }
.swagger-ui .scheme-container, .swagger-ui .response-col_links { display: none; }
.swagger-ui .info .renderedMarkdown { max-width: 80ch; }
.swagger-ui .renderedMarkdown code, .swagger-ui .info code { color: #1f2933; background: #eef1f4; font-weight: 500; }
.swagger-ui .parameters-col_name { min-width: 9em; }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui .response-col_status { width: 3em; }
  .swagger-ui table.headers td { font-size: 12px; }
  .swagger-ui table.headers td:last-child, .swagger-ui table.headers th:last-child { display: none; }
}
`;

/** The API reference for people, drawn in the browser from the document that programs read. */
export function apiReferenceRoutes(app: FastifyInstance): void {
  const library = (name: string, type: string) => makePageFile(name, type, readFileSync(join(LIBRARY, name)));
  const css = library('swagger-ui.css', 'text/css');
  const ownCss = makePageFile('reference.css', 'text/css', STYLE);
  const script = library('swagger-ui-bundle.js', 'text/javascript');
  const start = makePageFile('start.js', 'text/javascript', START);
  const urlOf = ({ name }: PageFile) => `${ASSETS}/${name}`;

  const page = makePageFile(
    'api',
    'text/html',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tatemono API reference</title>
<meta name="description" content="The REST API of Tatemono, the open building registry for Japan.">
<link rel="stylesheet" href="${urlOf(css)}">
<link rel="stylesheet" href="${urlOf(ownCss)}">
<link rel="icon" href="data:,">
<script src="${urlOf(script)}" defer></script>
<script src="${urlOf(start)}" defer></script>
</head>
<body>
<header>
<h1>Tatemono API <span lang="ja">建物</span></h1>
<p>The open building registry for Japan: every value with its source, its date and who disagreed. Read-only, no
accounts, no keys. This page is drawn from the <a href="${DOCUMENT}">OpenAPI document</a>, from which clients in most
languages can be generated.</p>
</header>
<noscript><p>The reference below needs JavaScript. The <a href="${DOCUMENT}">OpenAPI document</a> says the same.</p></noscript>
<main id="reference" data-document="${DOCUMENT}"></main>
</body>
</html>
`,
  );

  for (const file of [css, ownCss, script, start]) {
    endpoint(app, urlOf(file), async (request, reply) => {
      return sendFinished(request, reply, file, { type: file.type, caching: IMMUTABLE });
    });
  }
  endpoint(app, PAGE, async (request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    return sendFinished(request, reply, page, { type: page.type, caching: REVALIDATE });
  });
}
