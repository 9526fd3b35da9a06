import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { dayClock } from '../../vocabulary/time.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Metrics } from '../http/metrics.ts';
import { originOf } from '../http/origin.ts';
import { sendFinished } from '../http/send-finished.ts';
import { MCP_ROOT } from '../http/surface.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpLimits } from './limits.ts';
import { originCheck } from './origin-check.ts';
import { Protocol } from './protocol.ts';
import { RPC, sendRpcError } from './rpc-error.ts';
import { serverCard } from './server-info.ts';
import { Sessions } from './sessions.ts';
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
  now: () => number;
  metrics: Metrics;
}

/** The endpoint, its tools and its server card (contract 4.5). */
export function mcpRoutes(app: FastifyInstance, { registry, reit, baseUrl, limits, now, metrics }: McpOptions): void {
  const onFault = (error: unknown) => app.log.error({ err: error }, 'an MCP request failed');
  const tools = [
    searchAssets(registry, onFault),
    getAsset(registry, baseUrl, onFault, dayClock(now)),
    getAssetSources(registry, onFault),
    getOwnerPortfolio(registry, onFault),
    getAssetReit(reit, onFault),
  ];
  const protocol = new Protocol({ tools, onFault });
  app.addHook('onReady', () => protocol.connect());

  const originRefusal = originCheck(app, baseUrl);
  const sessions = new Sessions(limits, now);
  const transport = new HttpTransport({ protocol, sessions, limits, originRefusal });
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

  // MCP-14. MCP-15: the card is served here only; no path below /.well-known exists.
  endpoint(app, `${MCP_ROOT}/server-card`, async (request, reply) => {
    const refusal = originRefusal(request);
    if (refusal !== undefined) return sendRpcError(reply, 403, RPC.refused, refusal);
    const body = Buffer.from(JSON.stringify(serverCard(originOf(request, baseUrl, app))));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body });
  });
}
