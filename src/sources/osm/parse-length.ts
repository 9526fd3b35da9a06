const METRES = /^(\d{1,7}(?:\.\d+)?) ?(?:m|metres?|meters?|メートル)?$/;
const FEET = /^(\d{1,7}(?:\.\d+)?) ?(?:ft|feet|foot)$/;
const FEET_AND_INCHES = /^(?:(\d{1,7}(?:\.\d+)?) ?')? ?(?:(\d{1,7}(?:\.\d+)?) ?(?:"|''))?$/;
const FOOT = 0.3048;

/** A height as OSM writes it, in metres: `333`, `333 m`, `40 ft`, `12'6"`. Undefined for any other unit or form. */
export function parseLength(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(/[’′]/g, "'").replace(/[”″]/g, '"');
  const metres = METRES.exec(plain);
  if (metres !== null) return round(Number(metres[1]));
  const feet = FEET.exec(plain);
  if (feet !== null) return round(Number(feet[1]) * FOOT);
  const both = plain === '' ? null : FEET_AND_INCHES.exec(plain);
  return both === null ? undefined : round((Number(both[1] ?? 0) + Number(both[2] ?? 0) / 12) * FOOT);
}

function round(metres: number): number {
  return Math.round(metres * 100) / 100;
}
