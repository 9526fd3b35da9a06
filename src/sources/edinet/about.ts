export const about = {
  nameEn: 'EDINET, annual securities reports of listed REITs',
  publisher: '金融庁 (Financial Services Agency)',
  licence: 'Public disclosure; copyright of each filing stays with its filer. Facts only.',
  attribution: '出典：EDINET（金融庁）',
  url: 'https://disclosure2.edinet-fsa.go.jp/',
};
