import { type Html, html } from '../html.ts';

const en = {
  title: 'Cite and link',
  citation: (name: string, id: string, version: string) =>
    `“${name}”, ${id}${version}. Tatemono, the open building registry for Japan.`,
  version: (number: number, day: string) => `, version ${number} (${day})`,
  permanent: 'Permanent link',
  page: 'This page',
  json: 'JSON',
  sources: 'Sources',
  markdown: 'Markdown',
  attribution: 'Attribution',
  attributionNote: 'Show these credits wherever you use the values.',
  mcp: 'MCP',
  mcpAt: (call: Html, url: Html) => html`${call} at ${url}`,
  compare: 'Compare',
  compareWith: 'Compare with other buildings',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected; press Ctrl+C or ⌘C to copy',
  copyCitation: 'Copy the citation',
  copyId: 'Copy the ID',
  copyLink: 'Copy the link',
  /** In the place of {label}: the label of a field. */
  copyValue: 'Copy {label} with its source',
  /** A value with its citation, as the client script writes it. */
  valueForm: '{label} {value} — source: {source}, retrieved {day}; Tatemono {id}, version {version}, {url}',
};

const ja: typeof en = {
  title: '引用とリンク',
  citation: (name, id, version) => `「${name}」${id}${version}、Tatemono（日本のオープンな建物台帳）`,
  version: (number, day) => `、第${number}版（${day}）`,
  permanent: '固定リンク',
  page: 'このページ',
  json: 'JSON',
  sources: '出典',
  markdown: 'Markdown',
  attribution: '出典表示',
  attributionNote: '値を利用する際は、次の出典を表示してください。',
  mcp: 'MCP',
  mcpAt: (call, url) => html`${url} で ${call}`,
  compare: '比較',
  compareWith: 'ほかの建物と比較',
  copy: 'コピー',
  copied: 'コピーしました',
  selected: '選択しました。Ctrl+Cまたは⌘Cでコピーできます',
  copyCitation: '引用をコピー',
  copyId: 'IDをコピー',
  copyLink: 'リンクをコピー',
  copyValue: '{label}を出典付きでコピー',
  valueForm: '{label} {value} — 出典：{source}（{day}取得）、Tatemono {id} 第{version}版、{url}',
};

export const citeText = { en, ja };
