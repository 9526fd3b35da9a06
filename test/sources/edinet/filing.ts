import type { SourceFile } from '../../../src/files/source-file.ts';
import { fileOf } from '../../support/source-files.ts';

export const FORM = 'jpsps070300-asr-001_G03338-000_2026-01-31_01_2026-04-28_ixbrl.htm';
export const FOLDER = 'S100ABCD.zip/XBRL/PublicDoc';

export const REAL_ESTATE = 'jpsps_cor:ComponentsOfRealEstateInvestmentsTextBlock';
export const OTHER = 'jpsps_cor:MajorComponentsOfOtherInvestmentsTextBlock';

/** A body file of inline XBRL as EDINET publishes it. */
export function honbun(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2008/inlineXBRL">
<head><title>0101010_honbun.htm</title><meta http-equiv="content-type" content="text/html; charset=utf-8" /></head>
<body>${body}</body></html>`;
}

export function block(body: string, name = REAL_ESTATE): string {
  return `<ix:nonNumeric contextRef="FilingDateInstant" name="${name}" escape="true">${body}</ix:nonNumeric>`;
}

/** A table; a cell that begins with `<` is not escaped, a header row has th. */
export function table(...rows: string[][]): string {
  const cell = (text: string) => (text.startsWith('<t') && /^<t[dh]/.test(text) ? text : `<td><p>${text}</p></td>`);
  return `<div><table><colgroup><col style="width:1pt;" /></colgroup>${rows
    .map((row) => `<tr>\n${row.map(cell).join('\n')}</tr>`)
    .join('\n')}</table></div>`;
}

export function filing(body: string, name = `${FOLDER}/0101010_honbun_${FORM}`, chunk = 997): SourceFile {
  return fileOf(name, honbun(body), chunk);
}
