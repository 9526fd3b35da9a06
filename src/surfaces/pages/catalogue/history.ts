import { type Html, html } from '../html.ts';

const en = {
  sources: 'Sources',
  sourcesIntro: (precedence: (text: string) => Html) =>
    html`All source records consulted for this building, with what each of them says. A fixed ${precedence('source precedence')} decides which value
is published; the other values are kept.`,
  says: 'Statement',
  outcome: 'Outcome',
  published: 'published',
  agrees: 'agrees',
  notPublished: 'not published',
  ofComplex: 'about the complex',
  differsFrom: (how: string, published: string) => `${how}; published is ${published}`,
  otherOutline: 'another outline is published',
  readOn: (days: string) => `read ${days}`,
  readBetween: (first: string, last: string) => `read ${first} to ${last}`,
  lookUp: 'Look up this record (JSON)',
  noStatement: 'Nothing that is published or competes with a published value',
  venuesOf: (venues: string, names: string) => `${venues}: ${names}`,
  andMore: (count: number) => `and ${count} more`,

  history: 'History',
  historyIntro:
    'A new version is recorded when a value, its evidence or an alternative value changes, even if the published value stays the same.',
  version: (version: number) => `Version ${version}`,
  firstPublished: (fields: string) => `First published: ${fields}`,
  values: 'Values',
  evidence: 'Evidence',
  before: 'Before',
  after: 'After',
  none: 'none',
  source: (source: string, day: string) => `${source}, ${day}`,
  stated: (value: Html | string, source: Html | string) => [source, ' now states ', value],
  withdrawn: (value: Html | string, source: Html | string) => [source, ' no longer states ', value],
  replaced: (before: Html | string, after: Html | string, source: Html | string) => [
    source,
    ' states ',
    after,
    ' instead of ',
    before,
  ],
  readAgain: (source: Html | string, day: Html | string) => [source, ' was read again on ', day, ', no change'],
  otherEvidence: 'sources or dates changed',
  older: 'Older versions',
  newer: 'Newer versions',
  /** Between a version and what changed. */
  stop: '. ',
  changed: (fields: string) => `Changed: ${fields}`,
};

type Words = (string | Html)[];

const ja: typeof en = {
  sources: '出典',
  sourcesIntro: (precedence) =>
    html`この建物について参照したすべての出典レコードと、それぞれの記載内容です。公開する値は${precedence('出典の優先順位')}で決まり、ほかの値も保存しています。`,
  says: '記載内容',
  outcome: '採否',
  published: '採用',
  agrees: '一致',
  notPublished: '不採用',
  ofComplex: '複合施設についての記載',
  differsFrom: (how, published) => `${how}、採用値は${published}`,
  otherOutline: '別の外形を採用',
  readOn: (days) => `${days}取得`,
  readBetween: (first, last) => `${first}〜${last}取得`,
  lookUp: 'このレコードを照会（JSON）',
  noStatement: '採用した値、または比較の対象となる値の記載はありません',
  venuesOf: (venues, names) => `${venues}：${names}`,
  andMore: (count) => `ほか${count}件`,

  history: '履歴',
  historyIntro:
    '値、その根拠、またはほかの出典の値が変わると、新しい版を記録します。公開している値が変わらない場合も含みます。',
  version: (version) => `第${version}版`,
  firstPublished: (fields) => `初回公開：${fields}`,
  values: '値の変更',
  evidence: '根拠の変更',
  before: '変更前',
  after: '変更後',
  none: 'なし',
  source: (source, day) => `${source}、${day}`,
  stated: (value, source): Words => [source, 'に', value, 'の記載が追加'],
  withdrawn: (value, source): Words => [source, 'から', value, 'の記載が削除'],
  replaced: (before, after, source): Words => [source, 'の記載が', before, 'から', after, 'に変更'],
  readAgain: (source, day): Words => [source, 'を', day, 'に再取得、値は同じ'],
  otherEvidence: '出典または取得日の変更',
  older: '以前の版',
  newer: '新しい版',
  stop: '。',
  changed: (fields) => `変更：${fields}`,
};

/** The tabs of sources and history of a building. */
export const historyText = { en, ja };
