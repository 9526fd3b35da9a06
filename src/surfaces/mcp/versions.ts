/** MCP-02: the protocol versions that are spoken, newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type Version = (typeof VERSIONS)[number];

/** MCP-03: those under which each request must say its version. */
const MUST_SAY: readonly Version[] = ['2025-11-25', '2025-06-18'];
/** Those that know batches. */
const KNOW_BATCHES: readonly Version[] = ['2025-03-26', '2024-11-05'];

export const isVersion = (text: unknown): text is Version => (VERSIONS as readonly unknown[]).includes(text);
export const mustSayVersion = (version: Version) => MUST_SAY.includes(version);
export const knowsBatches = (version: Version) => KNOW_BATCHES.includes(version);
