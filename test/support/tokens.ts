/**
 * An approximation of the tokens of a text: a token has four characters of ASCII, or one other character. Common
 * tokenizers give fewer for English and about as many for Japanese.
 */
export function tokensOf(text: string): number {
  const others = [...text].filter((character) => character > '\x7f').length;
  return Math.ceil(([...text].length - others) / 4 + others);
}
