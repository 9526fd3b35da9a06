export const about = {
  nameEn: 'Tokyo Green Building Program register',
  publisher: '東京都環境局 (Bureau of Environment, Tokyo Metropolitan Government)',
  licence: 'No reproduction without permission: facts only',
  attribution: '東京都環境局 建築物環境計画書制度',
  url: 'https://green-building-pgm.metro.tokyo.lg.jp/',
};
