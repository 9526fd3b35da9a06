import { STATUS_CODES } from 'node:http';
import { ASSET_PREFIX, ID_FORM } from '../../../vocabulary/asset-id.ts';
import { type Html, html } from '../html.ts';

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

const en = {
  title: (status: number): string => STATUS_CODES[status] ?? 'Error',
  /** `detail` is the cause in English. */
  detail: (status: number, detail: string): string => sentence(status === 404 ? 'the path names no record' : detail),
  ids: (form: Html, path: Html) => html`Building IDs have the form ${form}; the page is at ${path}.`,
  idsMarkdown: (form: string) =>
    `Building IDs have the form \`${form}\`; the page is at \`/japan/id/<ID>\`, its Markdown at \`/japan/id/<ID>.md\`.`,
  idForm: ID_FORM,
  home: 'Go to the home page',
  search: 'Search all buildings',
  llms: 'About this service (llms.txt)',
  searchMarkdown: (pages: string, json: string) => `Search: ${pages}, as JSON: ${json}.`,
  llmsMarkdown: (link: string) => `About this service: ${link}.`,
};

const TITLES: Readonly<Record<number, string>> = {
  400: '不正なリクエスト',
  404: 'ページが見つかりません',
  405: '許可されていないメソッド',
  408: 'リクエストの時間切れ',
  413: 'リクエストが大きすぎます',
  414: 'URLが長すぎます',
  417: '対応していないExpectヘッダー',
  // The contract gives this heading.
  429: 'Too Many Requests',
  431: 'ヘッダーが大きすぎます',
  500: 'サーバーエラー',
  503: '一時的に利用できません',
};
const DETAILS: Readonly<Record<number, string>> = {
  400: 'リクエストを読み取れませんでした。URLの文字がパーセントエンコードされているか確認してください。',
  404: 'このURLに該当する記録はありません。',
  405: '使えるメソッドはGETとHEADだけです。',
  408: 'リクエストの到着に時間がかかりすぎました。',
  413: 'リクエストの本文が大きすぎます。',
  414: 'URLが長すぎます。',
  417: 'Expectヘッダーの指定に対応していません。',
  431: 'リクエストのヘッダーが多すぎるか、大きすぎます。',
  500: '処理中にエラーが発生しました。エラーは記録されています。',
  503: '現在混み合っています。しばらく待ってから、もう一度お試しください。',
};
/** The limit and the seconds to wait are the numbers of the English sentence. */
function overLimit(detail: string): string {
  const [limit, seconds] = detail.match(/\d+/g) ?? [];
  return `ページへのリクエストは1分あたり${limit}回までです。${seconds}秒後にもう一度お試しください。`;
}
const OTHER = 'リクエストを処理できませんでした。';

const ja: typeof en = {
  title: (status) => TITLES[status] ?? 'エラー',
  detail: (status, detail) => (status === 429 ? overLimit(detail) : (DETAILS[status] ?? OTHER)),
  ids: (form, path) => html`建物IDの形式は${form}です。建物のページは${path}にあります。`,
  idsMarkdown: (form) =>
    `建物IDの形式は \`${form}\` です。ページは \`/japan/id/<ID>\`、Markdown版は \`/japan/id/<ID>.md\` にあります。`,
  idForm: `${ASSET_PREFIX}-JP-<都道府県コード2桁>-<数字8桁>`,
  home: 'ホームへ',
  search: 'すべての建物から検索',
  llms: 'このサービスについて（llms.txt）',
  searchMarkdown: (pages, json) => `検索：${pages}、JSON：${json}`,
  llmsMarkdown: (link) => `このサービスについて：${link}`,
};

/** Error pages. */
export const refusalText = { en, ja };
