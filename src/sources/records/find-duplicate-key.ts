/**
 * The first key that stands twice in one object of a JSON text, which JSON.parse would pass over in
 * silence. `text` must be valid JSON and `parsed` what it parses to.
 */
export function findDuplicateKey(text: string, parsed: unknown): string | undefined {
  // Written back, an object has each key once: a text that comes out the same has no duplicate.
  if (JSON.stringify(parsed) === text) return undefined;
  const open: (Set<string> | null)[] = [];
  let keyExpected = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        open.push(new Set());
        keyExpected = true;
        break;
      case 0x5b: // [
        open.push(null);
        keyExpected = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        keyExpected = false;
        break;
      case 0x2c: // ,
        keyExpected = open[open.length - 1] !== null;
        break;
      case 0x22: {
        const start = i;
        for (i++; text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
        const keys = open[open.length - 1];
        if (!keyExpected || keys === null || keys === undefined) break;
        const key = JSON.parse(text.slice(start, i + 1)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
        keyExpected = false;
        break;
      }
    }
  }
  return undefined;
}
