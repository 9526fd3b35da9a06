import type { Piece } from './piece.ts';

export type OsmType = 'node' | 'way' | 'relation';

/** An element as it stands in a file, and what it refers to. */
export interface OsmElement extends Piece {
  key: string;
  /** As its reader counts: the line of XML, else its place among the elements. */
  number: number;
  /** Nodes of a way, and members of a relation: `node/1`, `way/2`. */
  refs: string[];
  /** A relation: which of them outlines the building (`type=building`). */
  outline: string | undefined;
}

/** Which elements are to be given; where a text is given, nodes that contain it too. */
export interface OsmOrder {
  keys: ReadonlySet<string>;
  /** Relations that have one of these as their outline. */
  outlines: ReadonlySet<string>;
  /** Nodes in whose tags one of these texts stands. */
  texts: readonly string[];
  /** Parts of buildings that have a tag of this value. */
  sizes: readonly string[];
}

export function isOrdered(key: string, outline: string | undefined, text: () => string, order: OsmOrder): boolean {
  if (order.keys.has(key) || (outline !== undefined && order.outlines.has(outline))) return true;
  const isNode = key.startsWith('node/');
  if ((isNode ? order.texts : order.sizes).length === 0) return false;
  const said = text();
  if (isNode) return order.texts.some((wanted) => said.includes(wanted));
  return said.includes('building:part') && order.sizes.some((size) => isSaid(size, said));
}

/** Whether a tag has this number as its value, with or without metres. */
export function isSaid(size: string, text: string): boolean {
  return new RegExp(`["']${size.replace('.', '\\.')}(?:\\.0+)?(?: ?m)?["']`).test(text);
}
