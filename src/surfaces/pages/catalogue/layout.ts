import { type Html, html } from '../html.ts';

const en = {
  siteTitle: (title: string) => `Tatemono 建物 · ${title}`,
  pageTitle: (title: string) => `${title} · Tatemono`,
  titleOfPart: (title: string, part: string) => `${title} · ${part}`,
  pageNumber: (page: number) => `page ${page}`,
  skip: 'Skip to content',
  mainNavigation: 'Main',
  buildings: 'Buildings',
  about: 'About the data',
  api: 'API',
  footer: (sources: (text: string) => Html) =>
    html`The open building registry for Japan. Every value has its source, date and conflicting values. Open data from
${sources('many sources')}, each under its own licence.`,
  allBuildings: 'All buildings',
  restApi: 'REST API',
  mcpServer: 'MCP server',
  sitemap: 'Sitemap',
  searchLabel: 'Search all buildings by name, address or ID',
  searchPlaceholder: 'Name, address or ID',
  search: 'Search',
  languages: 'Language',
  sampleTitle: 'Sample data',
  sample: 'illustrative values, not for use',
  colon: ': ',
};

const ja: typeof en = {
  siteTitle: (title) => `建物 Tatemono · ${title}`,
  pageTitle: (title) => `${title} · Tatemono`,
  titleOfPart: (title, part) => `${title} · ${part}`,
  pageNumber: (page) => `${page}ページ目`,
  skip: '本文へ移動',
  mainNavigation: 'メインメニュー',
  buildings: '建物',
  about: 'データについて',
  api: 'API',
  footer: (sources) =>
    html`日本のオープンな建物台帳です。すべての値に、出典、取得日、ほかの出典と異なる値を付けています。データは
${sources('各出典')}のオープンデータで、それぞれの利用条件に従います。`,
  allBuildings: 'すべての建物',
  restApi: 'REST API',
  mcpServer: 'MCPサーバー',
  sitemap: 'サイトマップ',
  searchLabel: '名称・住所・IDですべての建物を検索',
  searchPlaceholder: '名称・住所・ID',
  search: '検索',
  languages: '表示言語',
  sampleTitle: 'サンプルデータ',
  sample: '例示用の値（利用不可）',
  colon: '：',
};

/** The frame of every page. */
export const layoutText = { en, ja };
