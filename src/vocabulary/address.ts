export interface HouseNumbers {
  /** Down to 番地・号: 4-14; a lone block is 4. */
  keys: string[];
  isResidence: boolean | null;
}

/** To be replaced. */
export function parseHouseNumbers(rest: string): HouseNumbers {
  const plain = rest.normalize('NFKC').replace(/[‐‑–—―−ー]/gu, '-');
  const match = /^(\d+)(?:(?:番地?|-)の?(\d+)?)?/u.exec(plain);
  if (match === null) return { keys: [], isResidence: null };
  return { keys: [match[2] === undefined ? `${match[1]}` : `${match[1]}-${match[2]}`], isResidence: null };
}
