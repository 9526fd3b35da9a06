import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { Finished, Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { dayClock } from '../../vocabulary/time.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Metrics } from '../http/metrics.ts';
import { namesAll } from '../http/negotiation.ts';
import { originOf } from '../http/origin.ts';
import { REVALIDATE, type Representation, sendFinished } from '../http/send-finished.ts';
import { MCP_ROOT } from '../http/surface.ts';
import { whyUnavailable } from '../http/unavailable.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpLimits } from './limits.ts';
import { ModernProtocol } from './modern-protocol.ts';
import { originCheck } from './origin-check.ts';
import { Protocol } from './protocol.ts';
import { RPC, sendRpcError } from './rpc-error.ts';
import { aiCatalog, CARD_PATH, CARD_TYPE, serverCard, specifiedServerCard } from './server-info.ts';
import type { SessionStore } from './sessions.ts';
import { getArea } from './tools/get-area.ts';
import { getAsset } from './tools/get-asset.ts';
import { getAssetReit } from './tools/get-asset-reit.ts';
import { getAssetSources } from './tools/get-asset-sources.ts';
import { getOwnerPortfolio } from './tools/get-owner-portfolio.ts';
import { searchAssets } from './tools/search-assets.ts';

interface McpOptions {
  registry: Registry;
  reit: Reit;
  baseUrl: string | undefined;
  limits: McpLimits;
  sessions: SessionStore;
  now: () => number;
  metrics: Metrics;
  /** Receives errors of a database that does not answer. */
  logOutage: (error: unknown) => void;
}

/** The endpoint, its tools and its server card (contract 4.5). */
export function mcpRoutes(
  app: FastifyInstance,
  { registry, reit, baseUrl, limits, sessions, now, metrics, logOutage }: McpOptions,
): void {
  const onFault = (error: unknown) => {
    if (whyUnavailable(error) === undefined) app.log.error({ err: error }, 'an MCP request failed');
    else logOutage(error);
  };
  const today = dayClock(now);
  const tools = [
    searchAssets(registry, reit, onFault, today),
    getAsset(registry, baseUrl, onFault, today),
    getAssetSources(registry, onFault),
    getOwnerPortfolio(registry, reit, onFault, today),
    getAssetReit(reit, onFault),
  ];
  const protocol = new Protocol({ tools, onFault });
  app.addHook('onReady', () => protocol.connect());
  // ERA-03: clients of the older protocol see the tools of the contract and no other.
  const modern = new ModernProtocol({ tools: [...tools, getArea(registry, onFault)], onFault });
  app.addHook('onClose', () => modern.close());

  const originRefusal = originCheck(app, baseUrl);
  const transport = new HttpTransport({ protocol, modern, sessions, limits, originRefusal });
  metrics.gauge('mcp_sessions', 'MCP sessions that have not ended.', () => sessions.count);
  metrics.gauge('mcp_requests_under_way', 'MCP requests that are not answered yet.', () => transport.openRequests);
  app.route({
    method: app.supportedMethods,
    url: MCP_ROOT,
    // Before the framework reads the body, so that an invalid body gets a JSON-RPC error.
    onRequest: (request, reply) => transport.answer(request, reply),
    handler: async () => {
      throw new Error('unreachable: onRequest answers');
    },
  });

  // MCP-14, ERA-04. MCP-15: no other path serves the card.
  endpoint(app, CARD_PATH, async (request, reply) => {
    const refusal = originRefusal(request);
    if (refusal !== undefined) return sendRpcError(reply, 403, RPC.refused, refusal);
    const origin = originOf(request, baseUrl, app);
    const isSpecified = namesAll(request.headers.accept, [CARD_TYPE]);
    const card = finishedJson(isSpecified ? specifiedServerCard(origin) : serverCard(origin));
    return sendFinished(request, reply, card, isSpecified ? SPECIFIED_CARD : CARD);
  });

  // ERA-05
  endpoint(app, '/.well-known/ai-catalog.json', async (request, reply) => {
    const catalog = finishedJson(aiCatalog(originOf(request, baseUrl, app)));
    return sendFinished(request, reply.header('access-control-allow-origin', '*'), catalog, CATALOG);
  });
}

const VARY = 'Accept, Accept-Encoding';
const FOR_AN_HOUR = 'public, max-age=3600';
const CARD: Representation = { type: 'application/json; charset=utf-8', caching: REVALIDATE, vary: VARY };
const SPECIFIED_CARD: Representation = { type: CARD_TYPE, caching: FOR_AN_HOUR, vary: VARY };
const CATALOG: Representation = { type: 'application/ai-catalog+json', caching: FOR_AN_HOUR };

function finishedJson(document: object): Finished {
  const body = Buffer.from(JSON.stringify(document));
  return { etag: `"${tagOf(body)}"`, body };
}
