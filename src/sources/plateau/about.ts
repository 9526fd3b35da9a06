export const about = {
  nameEn: 'Project PLATEAU 3D city models',
  publisher: 'Ministry of Land, Infrastructure, Transport and Tourism (国土交通省) and the municipalities',
  licence: 'CC BY 4.0',
  attribution: '国土交通省 Project PLATEAU (3D都市モデル)',
  url: 'https://www.geospatial.jp/ckan/dataset/plateau',
} as const;
