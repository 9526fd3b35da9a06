const [BRACE, CLOSING_BRACE, BRACKET, CLOSING_BRACKET, COMMA, QUOTE, BACKSLASH] = [
  0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x22, 0x5c,
];

/** The first key that occurs twice in one object of a valid JSON text, which JSON.parse ignores. */
export function findDuplicateKey(text: string): string | undefined {
  const open: (Set<string> | null)[] = [];
  let keys: Set<string> | null = null;
  let keyExpected = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      const end = endOfString(text, i);
      if (keyExpected && keys !== null) {
        const key = readKey(text, i, end);
        if (keys.has(key)) return key;
        keys.add(key);
        keyExpected = false;
      }
      i = end;
    } else if (c === COMMA) keyExpected = keys !== null;
    else if (c === BRACE) {
      open.push(keys);
      keys = new Set();
      keyExpected = true;
    } else if (c === BRACKET) {
      open.push(keys);
      keys = null;
      keyExpected = false;
    } else if (c === CLOSING_BRACE || c === CLOSING_BRACKET) {
      keys = open.pop() ?? null;
      keyExpected = false;
    }
  }
  return undefined;
}

/** The end of the string that starts at a quote: the next quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : raw;
}
