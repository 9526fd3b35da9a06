/** How many yen a unit of money is, as a power of ten; a longer word before those that end like it. */
export const YEN_SCALES = { 百万円: 6, 千円: 3, 億円: 8, 万円: 4, 円: 0 } as const;

export type YenUnit = keyof typeof YEN_SCALES;

export const YEN_UNITS = Object.keys(YEN_SCALES) as YenUnit[];

/** Any of them, for a regular expression. */
export const YEN_UNIT = YEN_UNITS.join('|');

export function isYenUnit(unit: string): unit is YenUnit {
  return Object.hasOwn(YEN_SCALES, unit);
}
