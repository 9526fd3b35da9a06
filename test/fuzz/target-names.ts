/** Every target, and its share of the cases of a long run. */
export const TARGET_NAMES: Readonly<Record<string, number>> = { http: 2, mcp: 2, lines: 2, bundles: 1, sources: 3 };
