/**
 * UI-92: the Japanese of every sentence of the OpenAPI document that the reference shows, by its English.
 * A test compares it with the document.
 */
const JAPANESE: Readonly<Record<string, string>> = {
  // Introduction, by paragraph
  'Records of buildings in Japan. Each record is consolidated from several public sources; each field says where its value came from, how it was read, and which source disagrees.':
    '日本の建物の記録です。各記録は複数の公開情報を統合したもので、項目ごとに値の出典、読み取り方法、異なる値を示す出典を明記しています。',
  '**Start here.** `GET /japan/api/v1/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85` finds buildings (here 東京駅), `GET /japan/api/v1/assets/{id}` reads one. There are no accounts and no keys. The API is read-only: every operation is a GET, HEAD works wherever GET does, and any other method gets 405 with `Allow: GET, HEAD`. Pages of any origin may call it.':
    '**最初に。** `GET /japan/api/v1/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85` で建物（ここでは東京駅）を検索し、`GET /japan/api/v1/assets/{id}` で1件を取得します。アカウントもキーも不要です。APIは閲覧専用で、操作はすべてGETです。GETが使える所ではHEADも使え、その他のメソッドには `Allow: GET, HEAD` を付けて405を返します。どのオリジンのページからも呼び出せます。',
  '**Reading a field.** `fields.heightM` is `{value, unit, tier, provenance, conflict, estimated}`. `provenance` cites the winning source, `conflict` is null or the best losing value that differs, `estimated` is true if the service computed the value or inherited it from the complex of the building. A field that no source supplies is absent.':
    '**項目の読み方。** `fields.heightM` は `{value, unit, tier, provenance, conflict, estimated}` です。`provenance` は採用した出典、`conflict` は採用されなかった異なる値のうち最も優先順位の高いもの（なければnull）です。サービスが計算した値や、建物が属する複合施設から継承した値では `estimated` がtrueになります。どの出典にも値がない項目は含まれません。',
  '**Errors** have one shape, ApiProblem, as `application/problem+json`: `status`, `title` and a `detail` that names the part of the request that failed. An unknown path gets 404; a request that HTTP itself does not allow (too many headers, an unknown expectation, an incomplete request) gets a 4xx of the same shape.':
    '**エラー**の形式はすべて同じApiProblem（`application/problem+json`）です。`status`、`title` と、リクエストのどの部分が誤りかを示す `detail` を持ちます。存在しないパスには404を返します。HTTPとして受け付けられないリクエスト（ヘッダーの過多、未知のExpect、不完全なリクエスト）にも同じ形式の4xxを返します。',
  '**Versions.** The version is the path segment `v1`. Fields, endpoints and values of enumerations are added without changing it, so ignore what you do not know; nothing published is removed.':
    '**バージョン。** バージョンはパスの `v1` です。項目、エンドポイント、列挙値はバージョンを変えずに追加されるため、未知のものは無視してください。公開済みのものが削除されることはありません。',

  // Topics
  'Search buildings; read their records and the sources behind them.': '建物を検索し、その記録と出典を取得します。',
  'What REITs disclose about their interests in a building, reviewed and cited.':
    '投資法人が開示した、建物に対する保有分の情報です。審査済みで、出典を明記しています。',
  'The tree of prefectures, wards and machi-aza, with counts.': '都道府県、市区町村、町字の階層と建物数です。',
  'The buildings of one owner.': '1者が所有する建物の一覧です。',
  'The description of the API for programs.': 'プログラム向けのAPI定義です。',
  Buildings: '建物',
  'REIT histories': '投資法人の開示履歴',
  Areas: '地域',
  Owners: '所有者',
  'This API': 'このAPI',

  // Operations
  'Search buildings': '建物を検索する',
  'Finds buildings by words, area, use, figures and place; all parameters are optional and combine. Returns full records, or summaries with `view=summary`, 20 a page, the most recently recorded first, then by ID.':
    '語句、地域、用途、数値、位置で建物を検索します。パラメーターはすべて任意で、組み合わせて使えます。完全な記録、または `view=summary` で概要を、1ページに20件、記録日時の新しい順、次いでID順に返します。',
  'Each word of `q` must be a literal part of one and the same value (ID, Japanese name, English name, Japanese address, or one alias), so `東京 駅` finds 東京駅丸の内駅舎 but no building that has 東京 in its address and 駅 in its name only. An unknown slug or use is not an error and finds nothing.':
    '`q` の各語は、同じ1つの値（ID、日本語名称、英語名称、日本語の所在地、または1つの別名）に文字どおり含まれている必要があります。`東京 駅` では東京駅丸の内駅舎が見つかりますが、東京が所在地だけ、駅が名称だけにある建物は見つかりません。未知のスラッグや用途はエラーではなく、0件になります。',
  'Words to look for, separated by spaces. A building matches if one of its searchable values (ID, Japanese name, English name, Japanese address, or one alias) contains every word. Case and character width do not matter; there is no transliteration or fuzzy matching.':
    '検索語。空白で区切ります。検索対象の値（ID、日本語名称、英語名称、日本語の所在地、または1つの別名）のいずれかがすべての語を含む建物が該当します。大文字・小文字と全角・半角は区別しません。読みの変換やあいまい検索は行いません。',
  'Slug of a prefecture.': '都道府県のスラッグ。',
  'Slug of a ward, in the given prefecture or, without one, in any.':
    '市区町村のスラッグ。指定した都道府県の中から探します。都道府県の指定がなければ全国から探します。',
  'Slug of a machi-aza, in the given ward or, without one, in any.':
    '町字のスラッグ。指定した市区町村の中から探します。市区町村の指定がなければ全国から探します。',
  'A use. It is first resolved to its category, so that residential and apartments return the same buildings; any of the uses of a building may match. A word without a category finds the buildings that published it as their use; words without a particular use (tower, building) are not treated as unspecified.':
    '用途。まず分類に変換するため、residentialとapartmentsは同じ結果になります。建物の用途のいずれかが一致すれば該当します。分類のない語は、それを用途として公開している建物に一致します。特定の用途を表さない語（tower、buildingなど）を「不明」とはみなしません。',
  'Page number, from 1; a page has 20 buildings. Pages past the last, or above 50, are empty, however large the number.':
    'ページ番号（1から）。1ページは20件です。最終ページより後、または50を超えるページは、番号がいくら大きくても空になります。',
  'A page of buildings. A page past the last, or above 50, is empty.':
    '建物の1ページ分。最終ページより後、または50を超えるページは空です。',
  'The page is not a positive integer, another parameter is malformed, or a parameter is given twice or cannot be decoded.':
    'ページが正の整数でない、その他のパラメーターの形式が正しくない、パラメーターが重複している、またはデコードできない場合。',

  // Which building is meant
  'Find which building is meant': 'どの建物かを特定する',
  'Finds the building that a name, an address, a point or a source record means, by the rules that match the records of registers to buildings. Statements combine; they must not contradict each other.':
    '名称、所在地、地点、出典の記録が指す建物を、登録簿の記録を建物に対応づけるのと同じ規則で探します。条件は組み合わせられますが、互いに矛盾してはなりません。',
  'An address finds the building with this house number; of several, the one that also has the name. A name alone is compared in all Japan. A point means the footprint that contains it. A source record means the building it describes; of merged buildings, the one that remains. Use `verdict`: only `match` is certain.':
    '所在地からは、その番号をもつ建物を探します。複数あれば、名称も一致するものに絞ります。名称だけの場合は全国で比較します。地点は、それを含む建物の輪郭を指します。出典の記録は、それが記述する建物を指し、統合された建物では統合先を指します。判定は `verdict` を見てください。確実なのは `match` だけです。',
  'A name of the building. Compared with all its names and aliases; width, case, spaces and punctuation do not matter.':
    '建物の名称。すべての名称と別名に対して比較します。全角・半角、大文字・小文字、空白、記号の違いは無視します。',
  'A Japanese address, read as those of the registers: 丸の内1-9-2, 丸の内１丁目９番２号 and 丸の内一丁目9番2号 are one address. Give the municipality if the name of the machi-aza occurs more than once in Japan.':
    '日本語の所在地。登録簿の所在地と同じ方法で読み取ります。丸の内1-9-2、丸の内１丁目９番２号、丸の内一丁目9番2号は同じ所在地です。同じ名前の町字がほかにもある場合は、市区町村も書いてください。',
  'Latitude of a point in decimal degrees; needs `lon`.': '地点の緯度（十進度）。`lon` も必要です。',
  'Longitude of a point in decimal degrees; needs `lat`.': '地点の経度（十進度）。`lat` も必要です。',
  'The source of a record; needs `sourceRecordId`.': '記録の出典。`sourceRecordId` も必要です。',
  'The ID of a record inside its source; needs `source`.': '出典の中での記録のID。`source` も必要です。',
  'Only buildings of this use, as in a search.': 'この用途の建物だけに絞ります。指定方法は検索と同じです。',
  'The most candidates to return.': '返す候補の最大数。',
  'The verdict, and the buildings that fit at least in part.': '判定と、条件の少なくとも一部に合う建物。',
  'None of name, address, point and source record is given, or half of a pair; or a number, the source or the limit is not allowed; or a parameter is given twice or cannot be decoded.':
    '名称、所在地、地点、出典の記録のいずれもない、対の片方しかない、数値・出典・上限が正しくない、または同じパラメーターが複数あるか復号できません。',
  'match: exactly one building is accepted. ambiguous: several may be meant. none: none is accepted; candidates fit only in part.':
    'match：1棟だけに特定できました。ambiguous：複数の建物が考えられます。none：特定できません。候補は条件の一部にだけ合います。',
  'By score, highest first, then by ID.': 'スコアの高い順、次いでID順。',
  'The page of the building.': '建物のページ。',
  'Japanese name; null if no source states one.': '日本語名称。どの出典にもなければnull。',
  'English name; null if no source states one.': '英語名称。どの出典にもなければnull。',
  'Japanese address; null if no source states one.': '日本語の所在地。どの出典にもなければnull。',
  'The share of the request that fits: a source record weighs 4, an address 3 (the machi-aza alone 1.5), a point 3, a name 2. The verdict does not follow from it.':
    '条件のうち合うものの割合。重みは、出典の記録が4、所在地が3（町字だけなら1.5）、地点が3、名称が2です。判定はスコアだけでは決まりません。',
  'What fits, strongest first.': '合う条件。確かなものが先です。',
  'A building that at least one statement of the request fits.': '条件の少なくとも1つに合う建物。',
  'A statement of the request that fits the building.': '建物に合う条件。',
  'sourceRecord: the record describes the building. address: the building has this house number. point: its footprint contains the point. name: one of its names or aliases is equal. machiAza: it is in the machi-aza of the address, and no source states its house number.':
    'sourceRecord：記録がこの建物を記述しています。address：建物がこの番号をもちます。point：輪郭が地点を含みます。name：名称または別名の1つが一致します。machiAza：所在地の町字にあり、番号を示す出典がありません。',
  'What the registry has: the record, the recorded address or name, or the machi-aza.':
    '登録されている内容：記録、所在地、名称、または町字。',

  'Get a building': '建物を取得する',
  'The whole record of one building: every field with its value, its unit, where it came from, and the best source that disagrees. An ID is never reused; an ID that was merged into another is answered with 301. With `view=summary`, every field without geometry, history and neighbours.':
    '1棟の建物の完全な記録です。各項目の値、単位、出典と、異なる値を示す出典のうち最も優先順位の高いものを含みます。IDは再利用されません。別のIDに統合されたIDには301を返します。`view=summary` では、形状、履歴、周辺の建物を除いた全項目を返します。',
  'The public ID of a building: ASSET-JP-, the two-digit prefecture code, eight digits. Never reused.':
    '建物の公開ID。ASSET-JP-、都道府県コード2桁、数字8桁です。再利用されません。',
  'The record.': '建物の記録。',
  'Find what became of a source record': '出典のレコードの行方を調べる',
  'Says what became of a record of a source: the building that it belongs to and the fields that it won, or why it contributes nothing. Every record that was ever read is found, also if it was matched to no building or was withdrawn. The ID is compared exactly, as the source writes it.':
    '出典のレコードの行方を示します。属する建物と採用された項目、または使われていない理由を返します。建物に対応づけられなかったものや取り下げられたものも含め、これまでに読み込んだすべてのレコードが見つかります。IDは出典の表記どおりに比較します。',
  'Records of PLATEAU are also found by a real-estate ID (不動産ID) of the building, a unit or the land, and records of OpenStreetMap by the value of a `ref:*` tag or by `ref:key=value`. If records with the identifier lead to several buildings, the answer is `ambiguous`, with the identifier in place of the ID. A record that applies to several buildings, such as the item of a complex, leads to the first of them by ID.':
    'PLATEAUのレコードは、建物、区分所有、土地の不動産IDでも見つかります。OpenStreetMapのレコードは、`ref:*` タグの値または `ref:キー=値` でも見つかります。その識別子を持つレコードが複数の建物に属する場合は `ambiguous` となり、IDの代わりに識別子を返します。複合施設の項目のように複数の建物に使われるレコードは、IDの順で最初の建物を返します。',
  'The source of the record.': 'レコードの出典。',
  'The ID of the record inside its source, or an identifier that the record carries.':
    '出典におけるレコードのID、またはレコードが持つ識別子。',
  'The record and what became of it.': 'レコードとその行方。',
  'The source is unknown, or a parameter is missing, empty or given twice, or cannot be decoded.':
    '出典が未知であるか、パラメーターがない、空、2回指定されている、またはデコードできません。',
  'No record of this source with this ID, and none that carries it as an identifier, was ever read.':
    'この出典でこのIDまたは識別子を持つレコードを読み込んだことはありません。',
  'contributes: it belongs to a published building. merged: its building was merged into `assetId`. unplaced: its building is in no known area. ambiguous: it fits several buildings. unmatched: it fits none. retired: its building was retired; `assetId` is the successor, if there is one. withdrawn: its newest whole revision says nothing any more.':
    'contributes：公開中の建物に属する。merged：属する建物が `assetId` に統合された。unplaced：建物の地域が不明。ambiguous：複数の建物に該当する。unmatched：該当する建物がない。retired：建物が廃止された（後継があれば `assetId`）。withdrawn：最新の完全な版に何も記載がない。',
  'Why it contributes nothing, as `tatemono unmatched` prints it; null if it contributes. Boundaries and rows of areas belong to no building: `describes an area, not a building`.':
    '使われていない理由。`tatemono unmatched` が表示するものと同じです。使われている場合はnull。境界と地域の行はどの建物にも属さないため、`describes an area, not a building`（建物ではなく地域を表す）となります。',
  'When its current revision was retrieved.': '現在の版を取得した日時。',
  'The fields whose published value is from this record, as in the sources of the building.':
    '公開値がこのレコードによる項目。建物の出典一覧と同じです。',
  'What became of a source record.': '出典のレコードの行方。',
  'The name of the source.': '出典の名称。',
  'The licence or terms of its values. A proprietary source says so.':
    '値のライセンスまたは利用条件。権利者が利用を制限している出典は、その旨を示します。',
  'Where the licence or the terms can be read.': 'ライセンスまたは利用条件を読めるURL。',
  'What to show wherever values of the source are shown.': '出典の値を表示するときに併記する表示。',
  'The licence of a source and the credit that it asks for.': '出典のライセンスと、求められる出典表示。',
  'One entry for each source of a published field, use, alias, outline or venue, in the order of the list of sources; dnk for values that the registry computed.':
    '公開している項目、用途、別名、外形、施設内の場所の出典ごとに1件。出典の一覧の順です。台帳が計算した値はdnkです。',
  'The id does not have the form of an asset ID, or cannot be decoded.':
    'idが建物IDの形式でないか、デコードできません。',
  'No building has, or ever had, this ID; or it was retired without a successor, and `detail` says what it was.':
    'このIDの建物は過去にも現在にも存在しないか、後継のないまま廃止されています。廃止の場合は、どのような建物だったかを `detail` に示します。',
  'List the sources of a building': '建物の出典を一覧する',
  'Every source record that was consulted for the building, and the fields whose published value is from it. A record that supplies no published value is listed too, with no fields.':
    '建物について参照したすべての出典レコードと、そのレコードの値が採用された項目です。採用された値がないレコードも、項目を空にして掲載します。',
  'One entry per source record.': '出典レコードごとに1件。',
  'Get the REIT history of a building': '建物の投資法人開示履歴を取得する',
  'The reviewed property histories of the REITs that hold an interest in the building: one publication for each property of an issuer. A publication describes the interest, which may be a part of the building. Every figure leads to the source revision that states it and to a place in a public document; `agreement` says how far the sources agree, which is not an audit. Amounts are exact decimal strings in base units. An accepted publication never changes under its id. It may be withdrawn, and is then gone at once.':
    '建物に権利を持つ投資法人の、審査済みの物件履歴です。発行者の物件ごとに1つの公表データがあります。公表データが対象とするのは保有分であり、建物の一部の場合があります。すべての数値から、それを記載した出典の版と公開文書内の箇所をたどれます。`agreement` は出典どうしの一致の程度であり、監査ではありません。金額は基本単位による正確な十進文字列です。承認済みの公表データは、同じIDのまま内容が変わることはありません。取り下げられた場合は直ちに提供を終了します。',
  'The accepted publications; an empty list if there are none.': '承認済みの公表データ。なければ空の配列。',
  'Get the figures of the REIT history as CSV': '投資法人開示履歴の数値をCSVで取得する',
  'One row per metric, matched holding and period (RFC 4180, UTF-8), for spreadsheets; the header is always present. `value` is the exact amount on which the sources agree, empty where they do not; `state` and `agreement` say why. `observations` and `citations` are JSON. Transactions and ownership are in the JSON only.':
    '指標、照合済みの保有分、期ごとに1行の表計算用データです（RFC 4180、UTF-8）。見出し行は必ずあります。`value` は出典が一致した正確な値で、一致しない場合は空になり、その理由を `state` と `agreement` に示します。`observations` と `citations` はJSONです。取引と保有の履歴はJSON版にのみ含まれます。',
  'The figures; the header alone if no publication is accepted.':
    '数値。承認済みの公表データがなければ見出し行だけです。',
  'Get a catalogue of the REIT history': '投資法人開示履歴のカタログを取得する',
  'A schema.org DataCatalog of the accepted publications: their IDs, when they were computed, what they cite and where the whole can be read. It repeats no figures.':
    '承認済みの公表データをまとめたschema.orgのDataCatalogです。ID、算出日時、引用文献、全文の所在を含みます。数値は含みません。',
  'The catalogue, empty if no publication is accepted.': 'カタログ。承認済みの公表データがなければ空です。',
  'Summarise a prefecture': '都道府県の概要を取得する',
  'How many buildings of the prefecture are published, when a record of one of them last changed, its wards with their counts, and how many of the buildings have each field.':
    '都道府県内の公開建物数、記録の最終更新日時、市区町村ごとの建物数、各項目に値がある建物数です。',
  'Slug of the prefecture.': '都道府県のスラッグ。',
  'The prefecture and its wards.': '都道府県とその市区町村。',
  'A path segment cannot be decoded.': 'パスの一部をデコードできません。',
  'No published building is in such an area.': 'その地域に公開中の建物はありません。',
  'Summarise a ward': '市区町村の概要を取得する',
  'The same for a ward, with its machi-aza.': '市区町村について同じ内容と、その町字です。',
  'Slug of the ward, city, town or village in the prefecture.': '都道府県内の市区町村のスラッグ。',
  'The ward and its machi-aza.': '市区町村とその町字。',
  'Summarise a machi-aza': '町字の概要を取得する',
  'The same for a machi-aza, which is the lowest level and has no children.':
    '町字について同じ内容です。町字は最下位の階層で、下位の地域はありません。',
  'Slug of the machi-aza (neighbourhood) in the ward.': '市区町村内の町字のスラッグ。',
  'The machi-aza.': '町字。',
  'List the buildings of an owner': '所有者の建物を一覧する',
  'Every building whose published owner (`ownerPublic`) has this name, in one response. Case, character width and the amount of white space do not matter; a part of a name does not match. A name that nothing matches is not an error and gets an empty list.':
    '公開されている所有者（`ownerPublic`）がこの名称の建物を、1回の応答ですべて返します。大文字・小文字、全角・半角、空白の数は区別しません。名称の一部だけでは一致しません。該当のない名称はエラーではなく、空の配列を返します。',
  'The name of the owner.': '所有者の名称。',
  'The owner and the buildings.': '所有者とその建物。',
  'Too many large portfolios are being sent. Send the request again after the number of seconds in Retry-After.':
    '大きな一覧の送信が集中しています。Retry-Afterの秒数が過ぎてから、もう一度送信してください。',
  'Get this document': 'この文書を取得する',
  'The OpenAPI document of the API as it runs here.': 'ここで稼働しているAPIのOpenAPI文書です。',
  'OpenAPI 3.1.': 'OpenAPI 3.1。',
  'The version of OpenAPI.': 'OpenAPIのバージョン。',
  'The endpoints.': 'エンドポイント。',

  // Shared responses
  'The building has another ID now: it was merged into another building or replaced by one. Follow Location.':
    '建物のIDが変わりました。別の建物に統合されたか、別の建物に置き換えられています。Locationをたどってください。',
  'Not modified: the ETag sent as If-None-Match is still current.': '変更なし。If-None-Matchで送られたETagは最新です。',
  'Over the limit. Send the request again after the number of seconds in Retry-After.':
    '回数の上限を超えました。Retry-Afterの秒数が過ぎてから、もう一度送信してください。',
  'The database does not answer, or too many requests are waiting. Send the request again after the number of seconds in Retry-After.':
    'データベースが応答しないか、待っているリクエストが多すぎます。Retry-After の秒数だけ待ってから、もう一度送信してください。',
  'The service failed. The request may be sent again.': 'サービス側で障害が起きました。もう一度送信してかまいません。',

  // Buildings
  'Another name of the building, in any language.': '建物の別名。言語は問いません。',
  'What the value costs. Today every value is free.': '値の料金区分。現在はすべて無料です。',
  'The body of every error.': 'すべてのエラーの本文。',
  'The HTTP status.': 'HTTPステータス。',
  'The name of the status.': 'ステータスの名称。',
  'Which part of the request failed; never the input itself.':
    'リクエストのどの部分が誤りか。入力そのものは含みません。',
  'The name of the area in paths and filters.': 'パスと絞り込みで使う地域の名称。',
  'The page of this area.': 'この地域のページ。',
  'Published buildings in this area.': 'この地域で公開中の建物数。',
  'A prefecture, a ward or a machi-aza (a neighbourhood of an address).': '都道府県、市区町村、または町字。',
  'The code of the area in the Address Base Registry.': 'アドレス・ベース・レジストリの地域コード。',
  'The level of the area in the tree.': '地域の階層。',
  'When a record of one of them last changed. ISO 8601, UTC.':
    'そのいずれかの記録が最後に変わった日時。ISO 8601、UTC。',
  'The areas inside this one that have published buildings, by code. Empty for a machi-aza.':
    '公開中の建物がある下位の地域。コード順。町字では空です。',
  'How many of the buildings have each field.': '各項目に値がある建物数。',
  'The use as the winning source recorded it.': '採用した出典に記録された用途。',
  'The category that the use resolves to; one entry per category.': '用途の分類。分類ごとに1件です。',
  'A building: each value with its source, its date and the best conflicting value.':
    '建物。各値に出典、日付と、異なる値のうち最も優先順位の高いものが付きます。',
  'The building page of this record.': 'この記録の建物ページ。',
  'What the building is used for.': '建物の用途。',
  'Other names.': '別名。',
  'Up to 8 within 500 m, nearest first.': '500 m以内の建物を近い順に最大8件。',
  'Newest first.': '新しい順。',
  'The best losing candidate whose value differs from the winner.':
    '採用値と異なる候補のうち、最も優先順位の高いもの。',
  'The value of the losing candidate.': '採用されなかった候補の値。',
  'The unit of the value; null if it has none.': '値の単位。なければnull。',
  'The source of the losing candidate.': '採用されなかった候補の出典。',
  'Values that sources stated, winners and losers.': '出典が示した値の数。採用されたものとされなかったものの合計です。',
  'Entries of `sources`.': '`sources` の件数。',
  'Published fields.': '公開中の項目数。',
  'Entries of `aliases`.': '`aliases` の件数。',
  'Entries of `venues`.': '`venues` の件数。',
  'Entries of `history`.': '`history` の件数。',
  'Fields with a conflict; asset types are not counted.': '相違のある項目数。用途は数えません。',
  'The known values of the building, by field. A field that no source supplies is absent; clients must tolerate fields that are added later.':
    '判明している値を項目ごとに示します。どの出典にも値がない項目は含まれません。後から追加される項目を受け入れられるようにしてください。',
  'True if the service computed the value or inherited it from a complex.':
    'サービスが計算した値、または複合施設から継承した値ならtrue。',
  'Measured from the outline, in square metres.': '外形から計測した面積（平方メートル）。',
  'Of the outer rings, in metres.': '外周の長さ（メートル）。',
  'west, south, east, north': '西、南、東、北',
  'The outline of the building as GeoJSON.': '建物の外形（GeoJSON）。',
  'One version of the record. Changed evidence makes a new version, even if the value stays the same.':
    '記録の1つの版。値が同じでも、根拠が変われば新しい版になります。',
  'ISO 8601, UTC.': 'ISO 8601、UTC。',
  'What changed since the previous version: fields, aliases, assetTypes, geometry, venues.':
    '前の版から変わったもの。項目、aliases、assetTypes、geometry、venues。',
  'The complex from which the value is inherited; absent for other values.':
    '値の継承元の複合施設。継承した値でなければ含まれません。',
  'Latitude of the centre of the footprint, in degrees.': '外形の中心の緯度（度）。',
  'Longitude of the centre of the footprint, in degrees.': '外形の中心の経度（度）。',
  'JIS X 0410 third-order mesh cell.': 'JIS X 0410の第3次メッシュコード。',
  'GeoJSON: several polygons.': 'GeoJSON。複数のポリゴン。',
  'Another building close by.': '近くの別の建物。',
  'The building page of the neighbour.': '近隣の建物のページ。',
  'Its first use.': '1つ目の用途。',
  'Between the centres, in metres.': '中心間の距離（メートル）。',
  'The owner as recorded; the requested name if nothing matches.':
    '記録されている所有者名。該当がなければリクエストの名称。',
  'Every building whose published owner has this name, the most recently recorded first.':
    '公開されている所有者がこの名称の建物すべて。記録日時の新しい順。',
  'GeoJSON: an outer ring, then the rings of its holes, each of [longitude, latitude].':
    'GeoJSON。外周の環に続けて穴の環。各点は[経度, 緯度]です。',
  'Where a value comes from.': '値の出典。',
  'The source: osm (OpenStreetMap), plateau (Project PLATEAU city models), abr (Address Base Registry), estat (census areas), wikidata, nominatim (geocoding), edinet and jreit (disclosures of listed REITs), greenarchive and greenbuilding (environmental-plan registers of Tokyo), mankan (certified condominiums); dnk marks what the service computed itself.':
    '出典。osm（OpenStreetMap）、plateau（Project PLATEAUの3D都市モデル）、abr（アドレス・ベース・レジストリ）、estat（国勢調査の境界）、wikidata、nominatim（ジオコーディング）、edinetとjreit（上場投資法人の開示）、greenarchiveとgreenbuilding（東京都の環境計画書）、mankan（管理計画認定マンション）。dnkはサービス自身が計算した値です。',
  'The record inside the source.': '出典内のレコード。',
  'Where the value was taken from.': '値の取得元。',
  'How the value was read from the record.': 'レコードから値を読み取った方法。',
  'How far to trust it. Set per source and extraction method, not per value.':
    '信頼の度合い。値ごとではなく、出典と読み取り方法ごとに定めています。',
  'A source record that was consulted for the building.': '建物について参照した出典レコード。',
  'Where the record can be read.': 'レコードを閲覧できる場所。',
  'The fields whose published value is from this record, including aliases and assetTypes. Empty if it lost everything, or only supplied the outline.':
    'このレコードの値が採用された項目。aliasesとassetTypesを含みます。採用された値がない場合や、外形だけを提供した場合は空です。',
  'A place inside the building, such as a shop, a restaurant or a museum.': '建物内の施設。店舗、飲食店、美術館など。',
  'The kind of venue, as the source states it.': '出典に記載された施設の種類。',
  'The floor it is on.': '所在階。',
  'Full records, the most recently recorded first, then by ID.': '完全な記録。記録日時の新しい順、次いでID順。',
  'The requested page; 1 if none was given.': 'リクエストされたページ。指定がなければ1。',
  'How many buildings match. With q, counting stops at 1,000.':
    '該当する建物数。qを指定した場合は1,000で数え止めます。',
  'True if more than 1,000 buildings match q; total is then 1,000.':
    'qに1,000棟を超える建物が該当する場合はtrue。このときtotalは1,000です。',

  // Fields
  'Name in Japanese.': '日本語の名称。',
  'Name in English.': '英語の名称。',
  'Address in Japanese, as the source writes it.': '日本語の所在地。出典の表記のままです。',
  'Japanese postcode, NNN-NNNN.': '郵便番号（NNN-NNNN）。',
  'Area of the ground that the building covers.': '建物が占める土地の面積。',
  'Gross floor area. If no source reports it, footprint times floors; `estimated` is then true.':
    '延床面積。どの出典にもない場合は建築面積×階数で求め、`estimated` がtrueになります。',
  'Month of completion, YYYY-MM. It may be a planned one; its confidence is then 0.6.':
    '竣工年月（YYYY-MM）。予定の場合があり、そのときの信頼度は0.6です。',
  'Structure, such as 鉄骨造, as the source writes it.': '構造（鉄骨造など）。出典の表記のままです。',
  'Area of the plot.': '敷地の面積。',
  'Floor area that can be let.': '賃貸可能な床面積。',
  'The price that the owner paid, as disclosed.': '開示された取得価格。',
  'When the owner acquired it.': '所有者の取得日。',
  'The appraised value, as disclosed.': '開示された鑑定評価額。',
  'The date of that appraisal. Absent if the disclosure has none; never the date of retrieval.':
    '鑑定評価の価格時点。開示にない場合は含まれません。取得日時で代用することはありません。',
  'Book value, as disclosed.': '開示された帳簿価額。',
  'Share of the leasable area that is let, 0 to 100.': '賃貸可能面積に占める賃貸中の割合（0～100）。',
  'Dwellings or other units.': '住戸などの数。',
  'Rooms, of a hotel for example.': 'ホテルなどの客室数。',
  'Floors above ground.': '地上階数。',
  'Floors below ground.': '地下階数。',
  'Height above ground.': '地上からの高さ。',
  'Year of completion. It may be that of the complex; `inheritedFrom` then names it.':
    '竣工年。複合施設の竣工年の場合があり、そのときは `inheritedFrom` に施設名を示します。',
  'Owner, if a public source names one.': '公開情報に記載された所有者。',
  'Architect. It may be that of the complex; `inheritedFrom` then names it.':
    '設計者。複合施設の設計者の場合があり、そのときは `inheritedFrom` に施設名を示します。',
  'The company that had it built.': '建築主の企業。',
  'Whether its dwellings were built for sale, for rent, or both.': '住戸が分譲、賃貸、または両方のいずれか。',
  'When the management plan of the condominium was certified.': 'マンション管理計画の認定日。',

  // REIT histories
  'The metric.': '指標。',
  'The path of its machi-aza.': '所在する町字のパス。',
  'The month, else the year.': '年月。なければ年。',
  'The building.': '建物。',
  'An exact decimal in base units, never a float.': '基本単位による正確な十進数。浮動小数点数ではありません。',
  'The publication, as on every surface.': '公表データ。どの提供方法でも同じです。',
  'When it was computed.': '算出日時。',
  'The place in the document.': '文書内の箇所。',
  'The complete JSON, if that is served too.': '完全なJSON。JSONでも提供している場合に限ります。',
  'The withdrawn publication of the property that this one replaces; absent if none.':
    'これが置き換えた、同じ物件の取り下げ済みの公表データ。なければ含まれません。',
  'ISO 8601 with a zone.': 'ISO 8601。時差の指定を含みます。',
  'YYYY-MM-DD': 'YYYY-MM-DD',
  'Empty if none is accepted for this building and surface.':
    'この建物とこの提供方法について承認済みのものがなければ空です。',
  'What the parts give.': '内訳から求めた値。',
  'What is reported.': '報告された値。',
  'Whether amounts are for the interest or for the whole property.':
    '金額が保有分に対するものか、物件全体に対するものか。',
  'Printed × 10^scale is the amount.': '記載値×10^scaleが金額です。',
  'As in XBRL: −6 means to the million.': 'XBRLと同じ。−6は百万単位を表します。',
  'How the source rounded the figure.': '出典による端数処理。',
  'A code such as tenantConsent, counterpartyConsent, bundled or unstated; no prose.':
    'tenantConsent、counterpartyConsent、bundled、unstatedなどのコード。文章は含みません。',
  'What one revision states, unchanged; revisionId and path lead to its citations.':
    '1つの版が示す値そのもの。revisionIdとpathから引用箇所をたどれます。',
  'Identifies this snapshot on every surface.': 'この公表データの識別子。どの提供方法でも同じです。',
  'When it was composed. ISO 8601, UTC.': '作成日時。ISO 8601、UTC。',

  // Summaries and filters of searches
  '`summary` returns the names, the address and the main figures of each building, without its history, geometry and neighbours.':
    '`summary` では、各建物の名称、所在地、主な数値だけを返し、履歴、形状、周辺の建物は含めません。',
  'At least so many floors above ground.': '地上階数の下限。',
  'At most so many floors above ground.': '地上階数の上限。',
  'At least so many metres high.': '高さの下限（メートル）。',
  'At most so many metres high.': '高さの上限（メートル）。',
  'Built in this year or later.': '建築年の下限。',
  'Built in this year or earlier.': '建築年の上限。',
  'A comma-separated list of what a building must have: `owner`, `yearBuilt`, `noConflict` (no source disagrees on a field), `venues`, `reit` (an accepted REIT publication).':
    '建物に必要な情報のカンマ区切りの一覧。`owner`（所有者）、`yearBuilt`（建築年）、`noConflict`（出典間で値が異なる項目がない）、`venues`（施設）、`reit`（受理された投資法人の開示履歴）。',
  'The order: most recently recorded first, a figure from the largest, `name`, or `distance` from `near`. Buildings without a value come last; ties are in the order of IDs.':
    '並び順。記録日時の新しい順、数値の大きい順、名称順（`name`）、または `near` からの距離順（`distance`）です。値のない建物は最後に、同順位はID順に並びます。',
  'Latitude and longitude. Finds the buildings whose footprint is within `radius` metres.':
    '緯度と経度。建物の外形がその位置から `radius` メートル以内にある建物が該当します。',
  'The distance from `near` in metres: 500 by default, at most 5,000.':
    '`near` からの距離（メートル）。既定は500、上限は5,000です。',
  'West, south, east and north in degrees. Finds the buildings whose footprint has a bounding box that meets it.':
    '西端、南端、東端、北端（度）。外形を囲む矩形がこの範囲に重なる建物が該当します。',
  'The id does not have the form of an asset ID or cannot be decoded, or the view is unknown.':
    'idが建物IDの形式でない、またはデコードできない場合、あるいはviewが未知の値の場合。',
  'A path segment cannot be decoded, or the view is unknown.':
    'パスの一部をデコードできない場合、またはviewが未知の値の場合。',
  'A building without geometry, history and neighbours.': '形状、履歴、周辺の建物を除いた建物の情報。',
  'The categories of its uses.': '用途の分類。',
  'Every known field.': '値が分かっている全項目。',
  'The source records that were consulted.': '参照した出典の記録。',
  'The licence and the credit of each source of a value.': '値の各出典のライセンスとクレジット表記。',
  'One summary per building, the most recently recorded first.': '建物ごとの概要。記録日時の新しい順。',
  'The best losing value that differs from the winner.': '採用された値と異なる値のうち、最も優先順位の高いもの。',
  'The source of the value.': '値の出典。',
  'One summary per building, in the requested order.': '建物ごとの概要。指定した順。',
  'A published value, with its source and its date.': '公開されている値と、その出典および取得日。',
  'A published value, with its source.': '公開されている値と、その出典。',
  'A building in few words.': '建物の概要。',
  'Fields on which sources disagree.': '出典によって値が異なる項目の数。',
  'Whether an accepted REIT publication can be read for it here.':
    '受理された投資法人の開示履歴をここで参照できるかどうか。',
  'The main figures that are known.': '値が分かっている主な数値。',
  'With near: metres from there to the footprint, 0 inside.':
    'nearを指定した場合、その位置から建物の外形までの距離（メートル）。外形の内側では0。',
};

const COUNTED_FIELD = /^Buildings that have (\w+)\.$/;
const LIMITS =
  /^\*\*Limits\.\*\* (?:None here|(\d+) requests per client and clock minute)\. `X-RateLimit-Remaining` is the number of requests left; over the limit the response is 429 with `Retry-After` in seconds\. Send `If-None-Match` with the `ETag` you have: an unchanged record then gives 304 without a body\.$/;

/** Undefined if there is no translation. */
export function describeInJapanese(english: string): string | undefined {
  const plain = english.replaceAll('\n', ' ');
  const known = JAPANESE[plain];
  if (known !== undefined) return known;
  const field = COUNTED_FIELD.exec(plain)?.[1];
  if (field !== undefined) return `${field} に値がある建物数。`;
  const limits = LIMITS.exec(plain);
  if (limits === null) return undefined;
  const allowance = limits[1] === undefined ? 'ここでは設けていません。' : `クライアントごとに毎分${limits[1]}回です。`;
  return `**回数の上限。** ${allowance}\`X-RateLimit-Remaining\` は残りの回数です。上限を超えると、秒数を示す \`Retry-After\` を付けて429を返します。手元の \`ETag\` を \`If-None-Match\` で送ると、変更のない記録には本文のない304を返します。`;
}
