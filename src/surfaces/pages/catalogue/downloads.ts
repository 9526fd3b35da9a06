import type { Html } from '../html.ts';
import { html } from '../html.ts';

type Link = (text: string) => Html;

/** What the files contain, by the beginning and the ending of their names. */
const en = {
  title: 'Downloads',
  description: 'Every building of the registry as files: GeoParquet, CSV, NDJSON, GeoJSON and PMTiles.',
  lead: 'All buildings with every value, its source, its confidence, the date of retrieval, and the value that disagrees.',
  datasetName: 'Tatemono: buildings of Japan',
  nothing: 'No files have been exported yet.',
  exportedOn: (day: string) => `Exported on ${day}.`,
  manifest: 'Manifest with checksums (JSON)',
  files: 'Files',
  file: 'File',
  what: 'Content',
  count: 'Entries',
  size: 'Size',
  licences: 'Licences',
  contents: (name: string) =>
    name.startsWith('bridge')
      ? 'Every source record and the building that it describes'
      : ({
          parquet: 'Buildings as GeoParquet 1.1, a column for each field and its source',
          csv: 'Buildings as CSV, with the same columns',
          ndjson: 'Records as the API sends them, one a line',
          geojson: 'Buildings as GeoJSON',
          pmtiles: 'Vector tiles for maps',
        }[name.slice(name.lastIndexOf('.') + 1)] ?? ''),
  licenceNote: (link: Link): Html =>
    html`Use of a value is subject to the licence of its source; ${link('credits and terms of every source')} must be passed on.`,
  open: 'How to open them',
  duckdb: 'Reads the file over the network, and of it only the rows of the box.',
  python: 'With GeoPandas, after downloading the file.',
  r: 'With the package arrow, after downloading the file.',
  qgis: 'Layer, Add Layer, Add Vector Layer; as the source enter:',
  maplibre: 'With the protocol of the package pmtiles, as a source of the style:',
};

const ja: typeof en = {
  title: 'ダウンロード',
  description: '登録されているすべての建物のファイル。GeoParquet、CSV、NDJSON、GeoJSON、PMTiles。',
  lead: 'すべての建物について、各値を出典、信頼度、取得日、食い違う値とともに収めています。',
  datasetName: 'Tatemono：日本の建物',
  nothing: 'ファイルはまだ書き出されていません。',
  exportedOn: (day) => `書き出し日：${day}。`,
  manifest: 'チェックサム付きの一覧（JSON）',
  files: 'ファイル',
  file: 'ファイル',
  what: '内容',
  count: '件数',
  size: 'サイズ',
  licences: 'ライセンス',
  contents: (name) =>
    name.startsWith('bridge')
      ? 'すべての出典レコードと、それが表す建物'
      : ({
          parquet: '建物（GeoParquet 1.1）。項目とその出典ごとに1列',
          csv: '建物（CSV）。列は同じ',
          ndjson: 'APIが返すとおりのレコード（1行に1件）',
          geojson: '建物（GeoJSON）',
          pmtiles: '地図用のベクトルタイル',
        }[name.slice(name.lastIndexOf('.') + 1)] ?? ''),
  licenceNote: (link) =>
    html`値の利用にはその出典のライセンスが適用されます。${link('各出典のクレジットと条件')}も伝えてください。`,
  open: '開き方',
  duckdb: 'ネットワーク越しに、指定した範囲の行だけを読みます。',
  python: 'ファイルをダウンロードし、GeoPandasで読みます。',
  r: 'ファイルをダウンロードし、パッケージarrowで読みます。',
  qgis: '「レイヤ」→「レイヤを追加」→「ベクタレイヤを追加」で、ソースに次を入力します。',
  maplibre: 'パッケージpmtilesのプロトコルを使い、スタイルのソースに次を指定します。',
};

export const downloadsText = { en, ja };
