/** REC-10: where anyone can read the document. */
export function addressOf(docID: string): string {
  return `https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?${docID}`;
}
