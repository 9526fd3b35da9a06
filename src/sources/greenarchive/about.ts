export const about = {
  nameEn: 'Tokyo Green Building Program register, the retired predecessor (23 wards, from fiscal 2002)',
  publisher: '東京都環境局 (Bureau of Environment, Tokyo Metropolitan Government)',
  licence: 'Proprietary: extracted facts only, neither text nor images of its pages',
  attribution: '東京都環境局 建築物環境計画書制度 (旧公表ページ)',
  url: 'http://www7.kankyo.metro.tokyo.jp/building/area_select.html',
};
