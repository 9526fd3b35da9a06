/** REC-10: where anyone can read the document. */
export function viewerAddress(docID: string): string {
  return `https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?${docID}`;
}
