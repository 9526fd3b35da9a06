export const about = {
  nameEn: 'Address Base Registry',
  publisher: 'Digital Agency, Government of Japan',
  licence: 'CC BY 4.0',
  attribution: 'Address Base Registry (アドレス・ベース・レジストリ), Digital Agency, CC BY 4.0',
  url: 'https://catalog.registries.digital.go.jp/',
} as const;
