/** Joins the parts of a structured address: 渋谷区 神宮前 2-2-3. A part may repeat all that stands before it. */
export function joinAddress(parts: readonly string[]): string {
  let address = '';
  for (const part of parts) {
    if (address !== '' && part.startsWith(address)) address = part;
    else address += /\d$/.test(address) && /^\d/.test(part) ? `-${part}` : part;
  }
  return address;
}
