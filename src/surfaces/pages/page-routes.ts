import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { dayClock } from '../../vocabulary/time.ts';
import { originOf } from '../http/origin.ts';
import type { RateLimits } from '../http/rate-store.ts';
import { aboutRoutes } from './about.ts';
import { buildingRoutes } from './building/building-routes.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { mapPointRoutes, suggestRoutes, tileRoutes } from './client-data.ts';
import { compareRoutes } from './compare/compare.ts';
import { downloadRoutes } from './downloads/downloads.ts';
import { homeRoutes } from './home.ts';
import { languageOf, languageRoutes } from './language.ts';
import { listRoutes } from './list/building-list.ts';
import { exportRoutes } from './list/export-list.ts';
import { hubRoutes } from './list/hub.ts';
import { ogcRoutes } from './ogc/ogc-routes.ts';
import { ownerRoutes } from './owner/owner.ts';
import type { BaseMap } from './page-settings.ts';
import { reconcileRoutes } from './reconcile/reconcile-routes.ts';
import type { ApiDocument } from './reference/api-document.ts';
import { referenceRoutes } from './reference/reference.ts';
import type { SampleWatch } from './sample-watch.ts';
import type { PageContext } from './send-page.ts';
import { fileRoutes } from './static-files.ts';

interface PageOptions {
  registry: Registry;
  reit: Reit;
  baseUrl: string | undefined;
  baseMap: BaseMap | undefined;
  stallMs: number;
  /** The OpenAPI document. */
  document: object;
  sample: SampleWatch;
  rateLimit: RateLimits;
  /** The folder of exported files; undefined for none. */
  exportDir: string | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Section 4.4 of the contract. */
export function pageRoutes(app: FastifyInstance, options: PageOptions): void {
  const { registry, reit, baseUrl, baseMap, stallMs, document, sample, rateLimit, exportDir, now } = options;
  const today = dayClock(now);
  const context: PageContext = {
    registry,
    reit,
    stallMs,
    settingsOf: async (request) => {
      const { lang, isInUrl } = languageOf(request);
      return {
        // Read only by what names it (HST-01).
        get origin() {
          return originOf(request, baseUrl, app);
        },
        baseMap,
        t: CATALOGUE[lang],
        isLanguageInUrl: isInUrl,
        hasSample: await sample.check(),
        today: today(),
        hasDownloads: exportDir !== undefined,
      };
    },
  };
  languageRoutes(app);
  homeRoutes(app, context);
  listRoutes(app, context);
  exportRoutes(app, context);
  compareRoutes(app, context);
  ownerRoutes(app, context);
  hubRoutes(app, context);
  buildingRoutes(app, context);
  aboutRoutes(app, context, rateLimit);
  downloadRoutes(app, context, exportDir);
  referenceRoutes(app, context, document as ApiDocument);
  fileRoutes(app, baseMap);
  tileRoutes(app, registry);
  mapPointRoutes(app, context);
  suggestRoutes(app, registry);
  reconcileRoutes(app, context);
  ogcRoutes(app, context, now);
}
