import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { dayClock } from '../../vocabulary/time.ts';
import { originOf } from '../http/origin.ts';
import { aboutRoutes } from './about.ts';
import { buildingRoutes } from './building/building-routes.ts';
import { mapPointRoutes, suggestRoutes, tileRoutes } from './client-data.ts';
import { homeRoutes } from './home.ts';
import { listRoutes } from './list/building-list.ts';
import { hubRoutes } from './list/hub.ts';
import type { BaseMap } from './page-settings.ts';
import type { ApiDocument } from './reference/api-document.ts';
import { referenceRoutes } from './reference/reference.ts';
import type { PageContext } from './send-page.ts';
import { fileRoutes } from './static-files.ts';

interface PageOptions {
  registry: Registry;
  reit: Reit;
  baseUrl: string | undefined;
  baseMap: BaseMap | undefined;
  /** The OpenAPI document. */
  document: object;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Section 4.4 of the contract. */
export function pageRoutes(app: FastifyInstance, options: PageOptions): void {
  const { registry, reit, baseUrl, baseMap, document } = options;
  const today = dayClock(options.now);
  const context: PageContext = {
    registry,
    reit,
    settingsOf: (request) => ({
      origin: originOf(request, baseUrl, app),
      baseMap,
      today: today(),
    }),
  };
  homeRoutes(app, context);
  listRoutes(app, context);
  hubRoutes(app, context);
  buildingRoutes(app, context);
  aboutRoutes(app, context);
  referenceRoutes(app, context, document as ApiDocument);
  fileRoutes(app, baseMap);
  tileRoutes(app, registry);
  mapPointRoutes(app, registry);
  suggestRoutes(app, registry);
}
