export const about = {
  nameEn: 'e-Stat, boundaries of the small areas of the census',
  publisher: 'Statistics Bureau of Japan',
  licence: 'e-Stat terms of use (attribution)',
  attribution: 'Portal Site of Official Statistics of Japan (e-Stat), boundary data of the population census',
  url: 'https://www.e-stat.go.jp/gis/statmap-search?type=2',
} as const;
