/** ERA-01: the protocol without sessions, in which each request carries its version and its client's capabilities. */
export const MODERN_VERSION = '2026-07-28';

/** MCP-02: the protocol versions with sessions, newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type ProtocolVersion = (typeof VERSIONS)[number];

/** MCP-03: with these versions, each request must name its version. */
const WITH_VERSION_HEADER: readonly ProtocolVersion[] = ['2025-11-25', '2025-06-18'];
const WITH_BATCHES: readonly ProtocolVersion[] = ['2025-03-26', '2024-11-05'];

export const isVersion = (text: unknown): text is ProtocolVersion => (VERSIONS as readonly unknown[]).includes(text);
export const requiresVersionHeader = (version: ProtocolVersion) => WITH_VERSION_HEADER.includes(version);
export const supportsBatches = (version: ProtocolVersion) => WITH_BATCHES.includes(version);
