/** Contract 8. */
export interface McpLimits {
  /** MCP-06: sessions, initialisations under way included. */
  sessions: number;
  /** MCP-05: from initialisation, in use or not. */
  sessionMs: number;
  /** MCP-07 */
  requestsAtOnce: number;
  /** MCP-08: of a body, as received. */
  bodyBytes: number;
  /** MCP-09: for all of a body to come. */
  bodyMs: number;
  /** For a client to read nothing of its answer, while it holds a place. */
  stallMs: number;
}

export const MCP_LIMITS: McpLimits = {
  sessions: 256,
  sessionMs: 15 * 60_000,
  requestsAtOnce: 32,
  bodyBytes: 65_536,
  bodyMs: 10_000,
  stallMs: 20_000,
};

/** Messages in one batch. */
export const LONGEST_BATCH = 50;
