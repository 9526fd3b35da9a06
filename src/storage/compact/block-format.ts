/** Which code a byte of a block is written in; bytes that are not repeated by the class of the byte before. */
export const KIND = {
  TOKEN: 0,
  LENGTH: 1,
  PAGE: 2,
  KNOWN: 3,
  EARLIER: 4,
  FIRST: 5,
  NUMBER: 6,
  WORD: 7,
  OTHER: 8,
} as const;
export const KINDS = Object.keys(KIND).length;

/** The shortest text that is worth a reference. */
export const SHORTEST = 4;
/** Lengths from here on continue in further bytes. */
export const LONG = 15;

/** Digits are followed by digits, and bytes of Japanese by the like. */
export const CLASS_OF = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 ? KIND.WORD : (byte >= 0x30 && byte <= 0x39) || byte === 0x2e ? KIND.NUMBER : KIND.OTHER,
);

/** References below this are to the dictionary, the others to the text before: how far it is, plus this. */
export const distancesFrom = (dictionary: Uint8Array) => Math.ceil(dictionary.length / 256) * 256;
