export const about = {
  nameEn: "Listed REITs' own property and portfolio pages",
  publisher: 'Each investment corporation (投資法人)',
  licence: 'Proprietary: facts only, no text and no images',
  attribution: '各投資法人の開示資料',
  url: 'https://www.jpx.co.jp/equities/products/reits/issues/01.html',
};
