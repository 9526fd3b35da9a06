import type { Position, Ring } from '../../vocabulary/geometry.ts';
import type { Crs } from './mapping.ts';

export interface HeightRing {
  ring: Ring;
  /** The least and the greatest height; NaN where positions have none. */
  low: number;
  high: number;
}

/** The positions of a posList; a string says why it is none. */
export function readRing(text: string, axes: Crs['axes'], dimension: number): HeightRing | string {
  const trimmed = text.trim();
  const tokens = trimmed.split(/\s+/);
  if (trimmed === '') return 'has an empty ring';
  if (tokens.length % dimension !== 0) return `has a ring whose numbers do not come in groups of ${dimension}`;
  const ring: Ring = [];
  let low = dimension === 3 ? Number.POSITIVE_INFINITY : Number.NaN;
  let high = dimension === 3 ? Number.NEGATIVE_INFINITY : Number.NaN;
  for (let i = 0; i < tokens.length; i += dimension) {
    const first = Number(tokens[i]);
    const second = Number(tokens[i + 1]);
    if (!Number.isFinite(first) || !Number.isFinite(second)) return 'has a position that is no pair of numbers';
    const position: Position = axes === 'lat lon' ? [second, first] : [first, second];
    ring.push(position);
    if (dimension !== 3) continue;
    const height = Number(tokens[i + 2]);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return { ring, low, high };
}
