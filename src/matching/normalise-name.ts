/** Names are one where they differ in width, case, spaces and the marks that sources drop or add. */
export function normaliseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[(（]仮称[)）]|^仮称/gu, '')
    .replace(/[\s・･,.，．、。'’`"“”‐‑–—―−\-_/／()（）「」『』【】[\]&＆]+/gu, '');
}
