/** The limits of the MCP surface (contract 8). */
export interface McpLimits {
  /** MCP-06: sessions, including those being initialised. */
  sessions: number;
  /** MCP-05: lifetime from initialisation, whether the session is used or not. */
  sessionMs: number;
  /** MCP-07 */
  requestsAtOnce: number;
  /** How long a client with less than its share waits for one of these places. */
  waitMs: number;
  /** MCP-08: size of a body, as received. */
  bodyBytes: number;
  /** MCP-09: time for a whole body to arrive. */
  bodyMs: number;
  /** How long a client may stop reading its response, which holds a slot. */
  stallMs: number;
}

export const MCP_LIMITS: McpLimits = {
  sessions: 256,
  sessionMs: 15 * 60_000,
  requestsAtOnce: 32,
  waitMs: 1_000,
  bodyBytes: 65_536,
  bodyMs: 10_000,
  stallMs: 20_000,
};
