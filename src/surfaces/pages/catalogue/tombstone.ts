const en = {
  title: (name: string) => `${name} (retired)`,
  heading: 'Retired',
  retired: (day: string) => `This building was retired from the registry on ${day}.`,
  merged: (day: string, into: string) =>
    `This ID was merged into ${into}, which was retired from the registry on ${day}.`,
  noSuccessor: 'No other building replaces it. IDs are never reused.',
  reason: 'Reason',
  noReason: 'not stated',
  was: 'What it was',
  id: 'ID',
  name: 'Name',
  address: 'Address',
  uses: 'Uses',
  yearBuilt: 'Year built',
  completion: 'Completion',
  recorded: 'First recorded',
  lastVersion: 'Last version',
  versionOf: (version: number, day: string) => `version ${version}, ${day}`,
  neverPublished: 'It was never published.',
  nearby: 'Buildings nearby',
  area: 'Area',
};

const ja: typeof en = {
  title: (name) => `${name}（廃止）`,
  heading: '廃止',
  retired: (day) => `この建物は${day}に台帳から廃止されました。`,
  merged: (day, into) => `このIDは${into}に統合され、統合先の建物は${day}に台帳から廃止されました。`,
  noSuccessor: '後継の建物はありません。IDが再利用されることはありません。',
  reason: '理由',
  noReason: '記載なし',
  was: '廃止前の情報',
  id: 'ID',
  name: '名称',
  address: '所在地',
  uses: '用途',
  yearBuilt: '建築年',
  completion: '竣工',
  recorded: '初回記録日',
  lastVersion: '最終版',
  versionOf: (version, day) => `第${version}版（${day}）`,
  neverPublished: '公開されたことはありません。',
  nearby: '周辺の建物',
  area: '地域',
};

/** What remains of a retired building. */
export const tombstoneText = { en, ja };
