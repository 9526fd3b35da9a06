export const API_ROOT = '/japan/api/v1';
export const MCP_ROOT = '/japan/mcp';
export const RECONCILE_ROOT = '/japan/reconcile';
export const OGC_ROOT = '/japan/ogc';
const PAGE_ROOT = '/japan';

/** `other` is everything outside the surfaces of the contract: health, metrics, paths outside /japan. */
export const SURFACES = ['api', 'page', 'mcp', 'other'] as const;
export type Surface = (typeof SURFACES)[number];

/** The surface of a request target, decoded as the router does. */
export function surfaceOf(target: string): Surface {
  if (isUnder(target, API_ROOT)) return 'api';
  const path = target.startsWith('/') && !target.includes('%') ? target : plainPath(target);
  if (isUnder(path, API_ROOT)) return 'api';
  if (isUnder(path, MCP_ROOT)) return 'mcp';
  return isUnder(path, PAGE_ROOT) ? 'page' : 'other';
}

function isUnder(target: string, root: string): boolean {
  if (!target.startsWith(root)) return false;
  return target.length === root.length || '/?#'.includes(target.charAt(root.length));
}

/** Whether a request of the page surface is one to a service for programs, which pages of any origin may use. */
export function isOpenService(target: string): boolean {
  const path = target.startsWith('/') && !target.includes('%') ? target : plainPath(target);
  return isUnder(path, RECONCILE_ROOT) || isUnder(path, OGC_ROOT);
}

const REIT_PATH = /^\/assets\/[^/]*\/reit(\.csv|\.jsonld)?$/;

/** REIT-05: whether a request asks for REIT histories, so that no response to it may be stored. */
export function asksForReit(target: string, surface: Surface): boolean {
  const query = target.indexOf('?');
  if (surface === 'page') return query !== -1 && new URLSearchParams(target.slice(query + 1)).get('tab') === 'reit';
  if (surface !== 'api' || !(target.includes('/reit') || target.includes('%'))) return false;
  const path = plainPath(query === -1 ? target : target.slice(0, query)).replaceAll(/%2e/gi, '.');
  return REIT_PATH.test(path.slice(API_ROOT.length));
}

/** Removes the origin of an absolute target, and unescapes letters and digits that need no escape. */
function plainPath(target: string): string {
  return target
    .replace(/^https?:\/\/.*?\//, '/')
    .replace(/%(3\d|[46][1-9a-f]|[57][0-9a])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
