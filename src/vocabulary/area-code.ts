/**
 * The codes of areas in the Address Base Registry: 6 digits of the municipality (全国地方公共団体コード), the last of which is
 * a check digit, and 7 of the machi-aza (町字ID). The registry's own codes have no check digit, and two digits for a
 * prefecture.
 */

/** REF-03: the registry's code of the area that a row is about, by the codes of the table or by its own. */
export function areaCodeOf(id: string): string | undefined {
  if (/^(?:\d{2}|\d{5}|\d{12})$/.test(id)) return id;
  const [, municipality, check, machiAza = ''] = /^(\d{5})(\d)(?:-?(\d{7}))?$/.exec(id) ?? [];
  if (municipality === undefined || check !== checkDigitOf(municipality)) return undefined;
  return machiAza === '' && municipality.endsWith('000') ? municipality.slice(0, 2) : municipality + machiAza;
}

/** `lg_code`, and `machiaza_id` after a hyphen, as records of addresses have them. */
export function areaRecordId(code: string): string {
  const municipality = code.slice(0, 5).padEnd(5, '0');
  const machiAza = code.slice(5);
  return `${municipality}${checkDigitOf(municipality)}${machiAza === '' ? '' : `-${machiAza}`}`;
}

/** JIS X 0402 */
function checkDigitOf(municipality: string): string {
  const sum = [...municipality].reduce((total, digit, i) => total + Number(digit) * (6 - i), 0);
  return String((11 - (sum % 11)) % 10);
}
