import { byTexts } from './canonical-json.ts';
import type { Publication } from './document.ts';

/** REIT-01: what is accepted for a building and a surface, in one order everywhere. */
export function envelopeOf(buildingId: string, publications: readonly Publication[]) {
  return { buildingId, publications: inOrder(publications) };
}

/** By issuer, then by id. */
export function inOrder(publications: readonly Publication[]): Publication[] {
  return publications
    .map(({ id, computedAt, document }) => ({ id, computedAt, document }))
    .sort(
      byTexts(
        ({ document }) => document.issuer.id,
        ({ id }) => id,
      ),
    );
}
