import { formatCount } from './counts.ts';

const en = {
  download: 'Download this list',
  csv: 'CSV',
  geojson: 'GeoJSON',
  cut: (limit: number, total: number) =>
    `The files have the first ${formatCount(limit)} of ${formatCount(total)} buildings, in the order of this list.`,
  colon: ': ',
};

const ja: typeof en = {
  download: 'この一覧をダウンロード',
  csv: 'CSV',
  geojson: 'GeoJSON',
  cut: (limit, total) =>
    `ファイルには、この一覧の順で全${formatCount(total)}棟のうち最初の${formatCount(limit)}棟が入ります。`,
  colon: '：',
};

export const exportText = { en, ja };
