import { type Html, html } from '../html.ts';

const en = {
  title: 'Open building registry for Japan',
  description:
    'Buildings in Japan, compiled from public sources. Every value has its source, date and conflicting values. Open and read-only, for people and programs.',
  heading: html`Japan’s buildings, <br>with a source for every fact`,
  lead: (buildings: string) => `${buildings}, each value with its source, date and conflicting values`,
  quickFilters: 'Quick filters',
  quick: {
    tallest: 'Tallest',
    offices: 'Offices',
    hotels: 'Hotels',
    culture: 'Culture',
    before1930: 'Built before 1930',
    from200m: '200 m or taller',
    venues: 'With venues',
    owner: 'Owner known',
    reit: 'REIT history',
  },
  browse: 'Browse by area',
  browseArea: (area: Html) => html`Browse ${area}`,
  unknownArea: 'Area not found',
  recent: 'Recently updated',
  none: 'No buildings published yet',
  all: (buildings: string) => `All ${buildings}`,
  allIn: (buildings: string, area: Html) => html`All ${buildings} in ${area}`,
  audiences: 'For developers and AI agents',
  developers: 'For developers',
  developersText: (api: (text: string) => Html) =>
    html`A read-only ${api('REST API')} without accounts or keys, with the same records as these pages.`,
  agents: 'For AI agents',
  agentsText: (mcp: (text: string) => Html, llms: Html) =>
    html`An ${mcp('MCP server')}, a Markdown version of every building and area page, and ${llms}.`,
  values: 'How values are chosen',
  valuesText: (precedence: (text: string) => Html) =>
    html`Each field has a fixed ${precedence('source precedence')}. Conflicting values are kept and shown beside the published one.`,
};

const ja: typeof en = {
  title: '日本のオープンな建物台帳',
  description:
    '公開情報をもとにまとめた日本の建物台帳です。すべての値に出典、取得日、ほかの出典と異なる値を付けています。閲覧は無料で、人もプログラムも利用できます。',
  heading: html`日本の建物を、<br>すべて出典付きで`,
  lead: (buildings) => `${buildings}を収録。すべての値に出典、取得日、ほかの出典と異なる値を付けています`,
  quickFilters: 'よく使う検索',
  quick: {
    tallest: '高い順',
    offices: '事務所',
    hotels: '宿泊',
    culture: '文化',
    before1930: '1929年以前の建築',
    from200m: '高さ200 m以上',
    venues: '施設あり',
    owner: '所有者あり',
    reit: 'REIT開示履歴あり',
  },
  browse: '地域から探す',
  browseArea: (area) => html`${area}の地域から探す`,
  unknownArea: '指定の地域が見つかりません',
  recent: '最近の更新',
  none: '公開中の建物はまだありません',
  all: (buildings) => `すべての建物（${buildings}）`,
  allIn: (buildings, area) => html`${area}のすべての建物（${buildings}）`,
  audiences: '開発者とAIエージェント向けの情報',
  developers: '開発者の方へ',
  developersText: (api) =>
    html`登録もキーも不要の読み取り専用${api('REST API')}で、このサイトと同じ記録を提供しています。`,
  agents: 'AIエージェント向け',
  agentsText: (mcp, llms) =>
    html`${mcp('MCPサーバー')}、すべての建物ページと地域ページのMarkdown版、${llms}を用意しています。`,
  values: '値の選び方',
  valuesText: (precedence) =>
    html`項目ごとに${precedence('出典の優先順位')}を定めています。採用しなかった値も残し、公開値の横に表示します。`,
};

/** The home page. */
export const homeText = { en, ja };
