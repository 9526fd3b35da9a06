const en = {
  title: 'Buildings of Japan, OGC API Features',
  description: 'The buildings of the registry, for QGIS, GDAL and other clients of OGC API Features.',
  definition: 'API definition',
  lead: 'What the service at /japan/ogc offers. Programs read the same as an OpenAPI 3.0 document.',
  licences: 'Sources and licences',
  buildings: 'Buildings',
  buildingsDescription:
    'Every building with its footprint, or its point if the outline is not known. Each field is followed by its source, ' +
    'confidence, time of retrieval and best conflicting value.',
  parameter: 'Parameter',
  meaning: 'Meaning',
  operations: {
    landing: 'The landing page',
    api: 'The API definition',
    conformance: 'The conformance classes that the service implements',
    collections: 'The feature collections',
    collection: 'The collection of buildings',
    schema: 'The properties of a building and their types',
    items: 'Buildings, in the order of their IDs',
    feature: 'One building',
  },
  parameters: {
    bbox:
      'Four numbers (west, south, east, north in degrees) or six (with the lowest and the highest height, which are not ' +
      'compared). Finds the buildings whose footprint meets the box, and those without coordinates. A box whose west ' +
      'edge is greater than its east edge crosses the antimeridian.',
    datetime:
      'An instant of RFC 3339, or an interval such as 2026-01-01T00:00:00Z/.. with an open end. Finds the buildings ' +
      'whose current version was recorded then.',
    limit: 'How many buildings a page has at most. A larger number than the maximum is read as the maximum.',
    after: 'Only buildings after this ID; the next link has it.',
    f: 'json, which is what every resource is anyway.',
    featureId: 'The ID of a building',
  },
  responses: {
    ok: 'Success',
    moved: 'The building was merged into another one; follow Location',
    notModified: 'Not modified since the ETag that was sent',
    badRequest: 'A query parameter is unknown or invalid',
    notFound: 'No building has this ID',
    tooMany: 'Over the limit of requests; retry after the seconds in Retry-After',
    fault: 'The service failed',
    unavailable: 'The service is busy or its database does not answer; retry after the seconds in Retry-After',
  },
};

const ja: typeof en = {
  title: '日本の建物（OGC API Features）',
  description: 'レジストリの建物を、QGIS・GDALなどOGC API Featuresのクライアントから利用できます。',
  definition: 'API定義',
  lead: '/japan/ogcのサービスが提供する内容です。プログラムは同じ内容をOpenAPI 3.0の文書で読めます。',
  licences: '出典とライセンス',
  buildings: '建物',
  buildingsDescription:
    'すべての建物。形状は建物外形、外形が不明な場合は代表点です。各項目に出典、信頼度、取得日時、最も有力な異なる値が続きます。',
  parameter: 'パラメーター',
  meaning: '意味',
  operations: {
    landing: 'ランディングページ',
    api: 'API定義',
    conformance: '実装している適合クラス',
    collections: '地物コレクションの一覧',
    collection: '建物のコレクション',
    schema: '建物の属性とその型',
    items: '建物（ID順）',
    feature: '1件の建物',
  },
  parameters: {
    bbox:
      '4つの数値（西・南・東・北、単位は度）、または6つの数値（最低・最高の高さを含む。高さは比較しません）。建物外形が範囲と重なる建物と、' +
      '座標のない建物を返します。西端が東端より大きい範囲は180度経線をまたぎます。',
    datetime:
      'RFC 3339の日時、または2026-01-01T00:00:00Z/..のように一端を開いた期間。現在の版がその時に記録された建物を返します。',
    limit: '1ページの最大件数。上限より大きい値は上限とみなします。',
    after: 'このIDより後の建物だけを返します。nextリンクに含まれます。',
    f: 'json。指定しなくてもすべてJSONで返します。',
    featureId: '建物のID',
  },
  responses: {
    ok: '成功',
    moved: '建物は別の建物に統合されました。Locationを参照してください',
    notModified: '送信されたETagから変更はありません',
    badRequest: 'クエリパラメーターが不明または不正です',
    notFound: 'このIDの建物はありません',
    tooMany: 'リクエスト数の上限を超えました。Retry-Afterの秒数の後に再試行してください',
    fault: 'サービスでエラーが発生しました',
    unavailable: 'サービスが混雑しているか、データベースが応答しません。Retry-Afterの秒数の後に再試行してください',
  },
};

/** Words of OGC API Features. */
export const ogcText = { en, ja };
