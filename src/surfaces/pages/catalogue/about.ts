import type { Field } from '../../../vocabulary/fields.ts';
import { SOURCE_FACTS } from '../../../vocabulary/source-facts.ts';
import type { Source } from '../../../vocabulary/sources.ts';
import { type Html, html } from '../html.ts';
import { formatCount } from './counts.ts';

interface Facts {
  name: string;
  publisher: string;
  licence: string;
  attribution: string;
}

const en = {
  title: 'About the data',
  description:
    'Sources and licences, source precedence by field, and the meaning of estimated, inherited, tier and confidence.',
  lead: 'Public sources each describe a building in part. The registry archives their data, matches it to one building, decides each field by a fixed precedence, and publishes the winning value with its source and the conflicting value.',
  contents: 'On this page',
  glossary: 'Glossary',
  words: [
    ['Source, date', 'The source of the published value, with a link to its record, and the date of retrieval.'],
    [
      'Conflict',
      'Another source, or another record of the same source, states a different value. The best of these is shown beside the published value; all are kept. A difference under 1 %, or in spelling only, is shown as “also”; a larger one is marked with its size. “Differs by 12 %” is in relation to the larger of the two values.',
    ],
    [
      'Estimated',
      'The service computed the value instead of reading it. If no source reports the gross floor area, it is the footprint multiplied by the floors above and below ground. Pages round such a value; its exact form is in the JSON.',
    ],
    [
      'Inherited',
      'The year built or architect of the larger complex that the building belongs to. Used only if no source states one for the building itself.',
    ],
    ['Planned', 'The completion lies in the future. The building may not exist yet.'],
    [
      'Confidence',
      'From 0 to 1, set by source and extraction method, not by value. Planned completions and years inferred from a filing have 0.6.',
    ],
    ['Tier', 'The price tier of a value. Every value is free today; paid and premium are planned.'],
    [
      'Version',
      'A record gets a new version when a value, its evidence or an alternative value changes. The history of a building lists each change with the old and the new value.',
    ],
    [
      'ID',
      'Permanent and never reused. If two records turn out to be the same building, the merged ID redirects to the surviving one.',
    ],
    [
      'Retired',
      'A record of a building that was demolished, that turned out not to be a building, or that was replaced, is retired. Its page answers 404 and says what the record was, when and why it was retired, and what is nearby; with a successor it redirects there.',
    ],
  ] as readonly (readonly [string, string])[],
  sources: 'Sources and licences',
  sourcesTable: 'Sources with their licences',
  licenceNote: 'Use of a value is subject to the licence of its source.',
  source: 'Source',
  content: 'Description',
  publisher: 'Publisher',
  licence: 'Licence',
  attribution: 'Attribution',
  facts: (source: Source): Facts => ({ ...SOURCE_FACTS[source], name: SOURCE_FACTS[source].nameEn }),
  precedence: 'Source precedence',
  precedenceNote:
    'For each field, the first source in this order that has a value wins, regardless of age. Within one source the newest value wins. A source that is not listed for a field is never used for it.',
  precedenceTable: 'Source precedence by field',
  field: 'Field',
  order: 'Precedence',
  repeated: {
    aliases: 'Other names, in any language. Each source may add some.',
    assetTypes: 'What the building is used for, by category.',
  } satisfies Partial<Record<Field, string>>,
  otherwise: { computed: 'otherwise computed', inherited: 'otherwise inherited from a complex' },
  confidence: 'Confidence',
  confidenceTable: 'Confidence by source and extraction method',
  method: 'Extraction method',
  code: 'Code',
  missing: 'Missing data',
  missingText: [
    'A field that no source supplies is absent, never zero. Area pages show how many of their buildings have each field.',
    'Registers and disclosures are used only if their record matches exactly one building; unmatched and ambiguous records contribute nothing. The condominium register lists only certified buildings and is a snapshot, so a building that is absent from it may still be certified. The retired green building register covers the 23 wards of Tokyo from fiscal 2002. Names of private persons are never published.',
  ] as readonly string[],
  use: 'Use the data',
  uses: (link: (path: string, text: string) => Html): readonly (readonly [string, Html])[] => [
    [
      'Lists',
      html`Every list of buildings can be filtered, sorted, shown as cards or as a table, and downloaded as CSV or GeoJSON with the same filters: up to 10,000 buildings. ${link('/japan/areas', 'All buildings')}`,
    ],
    [
      'Owners',
      html`The name of an owner leads to a page with all of its buildings, their totals, a map, and CSV and GeoJSON files.`,
    ],
    ['Compare', html`Up to four buildings side by side, with differences marked; the address can be shared.`],
    ['REIT histories', html`What REITs disclose about a building, as a page, JSON, CSV and JSON-LD.`],
    [
      'Languages',
      html`Every page is in English and Japanese. The switch in the header sets the language; <code>?lang=en</code> or <code>?lang=ja</code> in an address outranks it, and without either the browser’s language decides. The API is in English.`,
    ],
  ],
  programs: 'For programs and AI agents',
  programsNote: (code: (text: string) => Html): Html =>
    html`No account or key is needed. Every building, area, owner and comparison page has a Markdown version: append ${code('.md')} to the path, or send ${code('Accept: text/markdown')}.`,
  reference: 'Reference',
  openApi: 'OpenAPI document',
  serverCard: 'server card',
  sitemap: 'sitemap',
  llms: 'llms.txt',
  pages: 'Pages',
  /** Per client; 0 means no limit. */
  perMinute: (limit: number): string =>
    limit === 0 ? 'no request limit' : `${formatCount(limit)} requests per minute`,
  api: (reference: Html, openApi: Html, limit: string): Html => html`${reference} and ${openApi}; ${limit}.`,
  mcp: (url: Html, card: Html, limit: string): Html =>
    html`${url}, streamable HTTP, with read-only tools; ${card}; ${limit}.`,
  reconcile: (url: Html, limit: string): Html => html`${url}, for OpenRefine and other clients; ${limit}.`,
  reconciliation: 'Reconciliation',
  ogc: (url: Html, reference: Html, limit: string): Html =>
    html`${url}, for QGIS, GDAL and other clients; ${reference}; ${limit}.`,
  ogcApi: 'OGC API Features',
  pageLimits: (sitemap: Html, llms: Html, limit: string): Html => html`${sitemap}, ${llms}; ${limit}.`,
  restApi: 'REST API',
  mcpServer: 'MCP server',
};

const FACTS_JA: Readonly<Record<Source, Facts>> = {
  osm: {
    name: 'OpenStreetMap',
    publisher: 'OpenStreetMap contributors',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
  },
  plateau: {
    name: 'Project PLATEAU 3D都市モデル',
    publisher: '国土交通省および各自治体',
    licence: 'CC BY 4.0',
    attribution: '国土交通省 Project PLATEAU（3D都市モデル）',
  },
  abr: {
    name: 'アドレス・ベース・レジストリ',
    publisher: 'デジタル庁',
    licence: 'CC BY 4.0',
    attribution: 'アドレス・ベース・レジストリ（デジタル庁）、CC BY 4.0',
  },
  estat: {
    name: 'e-Stat 国勢調査の小地域境界データ',
    publisher: '総務省統計局',
    licence: 'e-Stat利用規約（出典の表示が必要）',
    attribution: '政府統計の総合窓口（e-Stat）国勢調査の境界データ',
  },
  wikidata: {
    name: 'ウィキデータ',
    publisher: 'ウィキメディア財団',
    licence: 'CC0 1.0',
    attribution: 'Wikidata（CC0 1.0）',
  },
  nominatim: {
    name: 'Nominatim（OpenStreetMap）',
    publisher: 'OpenStreetMap contributors',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
  },
  edinet: {
    name: 'EDINET 上場投資法人の有価証券報告書',
    publisher: '金融庁',
    licence: 'PDL 1.0（公共データ利用規約）。各書類の著作権は提出者に帰属し、事実のみを利用',
    attribution: '出典：EDINET（金融庁）',
  },
  jreit: {
    name: '上場投資法人の物件・ポートフォリオのページ',
    publisher: '各投資法人',
    licence: '権利は各投資法人に帰属。事実のみを利用し、文章と画像は利用しない',
    attribution: '各投資法人の開示資料',
  },
  greenarchive: {
    name: '東京都の建築物環境計画書（旧公表ページ。23区、2002年度以降）',
    publisher: '東京都環境局',
    licence: '権利は東京都に帰属。事実のみを抽出し、文章と画像は利用しない',
    attribution: '東京都環境局 建築物環境計画書制度（旧公表ページ）',
  },
  greenbuilding: {
    name: '東京都の建築物環境計画書',
    publisher: '東京都環境局',
    licence: '無断転載禁止。事実のみを利用',
    attribution: '東京都環境局 建築物環境計画書制度',
  },
  mankan: {
    name: '管理計画認定マンションの一覧',
    publisher: '公益財団法人マンション管理センター',
    licence: '明示なし。事実のみを利用',
    attribution: '公益財団法人マンション管理センター 管理計画認定制度',
  },
  dnk: {
    name: 'Tatemono（この台帳が計算した値）',
    publisher: 'Tatemono',
    licence: 'CC0 1.0。計算に使った値の利用条件が適用される',
    attribution: '各出典の値からこのサービスが計算',
  },
};

const ja: typeof en = {
  title: 'データについて',
  description: '出典と利用条件、項目ごとの出典の優先順位、推定・複合施設の値・料金区分・信頼度の意味を説明します。',
  lead: '公開情報は、それぞれ建物の一部の側面を記述しています。この台帳は各出典のデータを保存して1棟の建物に対応づけ、項目ごとに決められた優先順位で値を選び、出典と異なる値を添えて公開します。',
  contents: 'このページの内容',
  glossary: '用語',
  words: [
    ['出典・日付', '公開している値の出典（レコードへのリンク付き）と、取得日です。'],
    [
      '相違',
      'ほかの出典、または同じ出典のほかのレコードが異なる値を示していることです。そのうち最も優先順位の高い値を並べて示し、すべての値を保存しています。差が1％未満の場合や表記だけの違いは「他の出典では」と控えめに示し、それを超える差は大きさを明記します。差の割合（％）は、2つの値のうち大きいほうに対するものです。',
    ],
    [
      '推定',
      '出典から読み取ったのではなく、サービスが計算した値です。延床面積を示す出典がない場合は、建築面積に地上・地下の階数を掛けて求めます。ページでは丸めて表示し、正確な値はJSONにあります。',
    ],
    ['複合施設の値', '建物が属する複合施設の建築年や設計者です。建物自体について示す出典がない場合にだけ使います。'],
    ['予定', '竣工が将来であることを示します。建物はまだ存在しない場合があります。'],
    [
      '信頼度',
      '0から1までの値で、値ごとではなく出典と読み取り方法ごとに定めています。竣工予定と、開示書類から推定した年は0.6です。',
    ],
    ['料金区分', '値の料金区分です。現在はすべて無料（free）で、paidとpremiumは予定です。'],
    [
      '版',
      '値、根拠、または採用されなかった値が変わると、記録は新しい版になります。建物の履歴に、変更前と変更後の値を示します。',
    ],
    [
      'ID',
      '恒久的な識別子で、再利用しません。2つの記録が同じ建物と判明した場合、統合されたIDは存続するIDに転送します。',
    ],
    [
      '廃止',
      '解体された建物の記録、建物ではないと判明した記録、置き換えられた記録は廃止します。そのページは404を返し、どのような記録だったか、いつ、なぜ廃止されたか、近くに何があるかを示します。後継がある場合は転送します。',
    ],
  ],
  sources: '出典と利用条件',
  sourcesTable: '出典ごとの利用条件',
  licenceNote: '値の利用には、その出典の利用条件が適用されます。',
  source: '出典',
  content: '内容',
  publisher: '公開者',
  licence: '利用条件',
  attribution: '出典表示',
  facts: (source) => FACTS_JA[source],
  precedence: '出典の優先順位',
  precedenceNote:
    '項目ごとに、この順で最初に値がある出典の値を、新旧にかかわらず採用します。同じ出典の中では最新の値を採用します。項目に挙げていない出典は使いません。',
  precedenceTable: '項目ごとの出典の優先順位',
  field: '項目',
  order: '優先順位',
  repeated: {
    aliases: '別名。言語は問いません。複数の出典から追加されます。',
    assetTypes: '建物の用途。分類ごとに示します。',
  },
  otherwise: { computed: 'いずれもなければ計算', inherited: 'いずれもなければ複合施設から継承' },
  confidence: '信頼度',
  confidenceTable: '出典・読み取り方法別の信頼度',
  method: '読み取り方法',
  code: 'コード',
  missing: 'データがない場合',
  missingText: [
    'どの出典にも値がない項目は空欄とし、0とはしません。地域のページに、各項目に値がある建物数を示しています。',
    '台帳や開示資料は、そのレコードが1棟の建物だけに対応する場合に限って使います。対応する建物がないレコードや、複数の建物に対応しうるレコードは使いません。マンションの一覧は認定を受けた建物だけのある時点の情報であり、掲載されていない建物も認定を受けている場合があります。東京都の旧建築物環境計画書は、2002年度以降の23区を対象としています。個人の氏名は公開しません。',
  ],
  use: 'データの利用',
  uses: (link) => [
    [
      '一覧',
      html`建物の一覧はすべて、絞り込み、並べ替え、カードと表の切り替えができ、同じ条件のままCSVまたはGeoJSONで最大1万棟までダウンロードできます。${link('/japan/areas', 'すべての建物')}`,
    ],
    ['所有者', html`所有者名から、その所有者のすべての建物、合計、地図、CSVとGeoJSONのあるページに移動できます。`],
    ['比較', html`最大4棟を並べて比較し、違いを強調表示します。アドレスは共有できます。`],
    ['投資法人の開示', html`投資法人が建物について開示した内容を、ページ、JSON、CSV、JSON-LDで提供します。`],
    [
      '言語',
      html`すべてのページに日本語版と英語版があります。言語は画面上部で切り替えます。アドレスの <code>?lang=ja</code> または <code>?lang=en</code> が優先され、どちらもない場合はブラウザーの言語に従います。APIは英語です。`,
    ],
  ],
  programs: 'プログラムとAIエージェント向け',
  programsNote: (code) =>
    html`アカウントもキーも不要です。建物、地域、所有者、比較のページにはMarkdown版があります。パスの末尾に ${code('.md')} を付けるか、${code('Accept: text/markdown')} を送ってください。`,
  reference: 'リファレンス',
  openApi: 'OpenAPI文書',
  serverCard: 'サーバーカード',
  sitemap: 'サイトマップ',
  llms: 'llms.txt',
  pages: 'ページ',
  perMinute: (limit) => (limit === 0 ? '回数の制限なし' : `毎分${formatCount(limit)}回まで`),
  api: (reference, openApi, limit) => html`${reference}、${openApi}。${limit}。`,
  mcp: (url, card, limit) => html`${url}、streamable HTTP。ツールは閲覧専用です。${card}。${limit}。`,
  reconcile: (url, limit) => html`${url}。OpenRefineなどから表の各行を建物に対応づけられます。${limit}。`,
  reconciliation: '名寄せ（Reconciliation）',
  ogc: (url, reference, limit) =>
    html`${url}。QGIS・GDALなどで建物を地図レイヤーとして開けます。${reference}。${limit}。`,
  ogcApi: '地物の配信（OGC API Features）',
  pageLimits: (sitemap, llms, limit) => html`${sitemap}、${llms}。${limit}。`,
  restApi: 'REST API',
  mcpServer: 'MCPサーバー',
};

export const aboutText = { en, ja };
