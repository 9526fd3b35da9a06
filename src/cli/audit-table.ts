import stringWidth from 'string-width';
import type { Audit, Audited } from '../audit/audit.ts';
import { excerptOf } from '../audit/excerpt.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { printable } from '../vocabulary/text.ts';
import { MAX_PATH } from './terminal.ts';

const MOST_VALUE = 60;
const MOST_PIECES = 12;
const INDENT = '      ';

/** An audit for a terminal: an aligned row for each value, and below it the rule and the raw bytes. */
export function printAudit({ audited, seed, looked, published }: Audit, print: (line: string) => void): void {
  const rows = audited.map(rowOf);
  const header = ['#', 'building', 'field', 'value', 'source', 'record'];
  const widths = header.map((name, i) =>
    Math.max(stringWidth(name), ...rows.map((row) => stringWidth(row[i] as string))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell + ' '.repeat((widths[i] as number) - stringWidth(cell)))
      .join('  ')
      .trimEnd();
  print(line(header));
  for (const [i, each] of audited.entries()) {
    print(line(rows[i] as string[]));
    for (const detail of detailsOf(each)) print(`${INDENT}${detail}`);
  }
  print(`${audited.length} of the values of ${looked} of ${published} published buildings; seed ${printable(seed)}`);
}

function rowOf({ value }: Audited, i: number): string[] {
  const { building, kind, text, provenance } = value;
  const { source, sourceRecordId } = provenance;
  return [
    ...[String(i + 1), formatAssetId(building), kind, printable(text, MOST_VALUE)],
    ...[source, printable(sourceRecordId, MOST_VALUE)],
  ];
}

function detailsOf({ value, reason, origin, pieces, fault, inputs }: Audited): string[] {
  const details = [`rule   ${printable(reason.text, 1_000)}`];
  for (const { text, provenance } of value.alternatives) {
    details.push(`other  ${printable(text)} (${provenance.source} ${printable(provenance.sourceRecordId)})`);
  }
  if (origin !== undefined) details.push(`file   ${printable(origin.file, MAX_PATH)}, archived as ${origin.sha256}`);
  if (fault !== undefined) details.push(`fault  ${printable(fault, MAX_PATH)}`);
  for (const piece of pieces.slice(0, MOST_PIECES)) {
    const isCut = piece.isCut === true ? ', longer than shown' : '';
    details.push(
      `raw    ${printable(piece.what)} at ${piece.at} (${piece.bytes.length} bytes${isCut}): ${excerptOf(piece, value)}`,
    );
  }
  if (pieces.length > MOST_PIECES) details.push(`raw    ${pieces.length - MOST_PIECES} more, which --html shows`);
  for (const input of inputs) {
    details.push(`from   ${input.value.kind} ${printable(input.value.text)} (${input.value.provenance.source})`);
    details.push(...detailsOf(input).map((detail) => `  ${detail}`));
  }
  return details;
}

/** Values that could not be shown, or that the evidence contradicts. */
export function countFaults({ audited }: Audit): number {
  const isFaulty = ({ fault, reason, inputs }: Audited): boolean =>
    fault !== undefined || !reason.ok || inputs.some(isFaulty);
  return audited.filter(isFaulty).length;
}
