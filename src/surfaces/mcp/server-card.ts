import { MCP_ROOT } from '../http/surface.ts';
import { DESCRIPTION, SERVER_INFO } from './instructions.ts';

/** MCP-14 */
export function serverCard(origin: string) {
  return {
    name: SERVER_INFO.name,
    description: DESCRIPTION,
    version: SERVER_INFO.version,
    url: `${origin}${MCP_ROOT}`,
    transport: 'streamable-http',
    authentication: { required: false },
  };
}
