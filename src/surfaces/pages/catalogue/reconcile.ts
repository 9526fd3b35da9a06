const en = {
  serviceName: 'Tatemono, the open building registry for Japan',
  properties: {
    address: { name: 'Address', description: 'Japanese address in any notation' },
    coordinates: { name: 'Coordinates', description: 'Latitude and longitude in decimal degrees: 35.68124,139.76712' },
    sourceRecordId: { name: 'Source record', description: 'Source and record ID: osm:way/104390193' },
  },
  open: 'Open the building’s page',
};

const ja: typeof en = {
  serviceName: 'Tatemono（日本の建物オープンレジストリ）',
  properties: {
    address: { name: '所在地', description: '日本語の所在地。表記は問いません' },
    coordinates: { name: '座標', description: '緯度と経度（十進度）：35.68124,139.76712' },
    sourceRecordId: { name: '出典の記録', description: '出典と記録のID：osm:way/104390193' },
  },
  open: '建物のページを開く',
};

/** Words of the reconciliation service and its previews. */
export const reconcileText = { en, ja };
