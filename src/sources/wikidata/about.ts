export const about = {
  nameEn: 'Wikidata',
  publisher: 'Wikimedia Foundation',
  licence: 'CC0 1.0',
  attribution: 'Wikidata (CC0 1.0)',
  url: 'https://www.wikidata.org/',
};
