export const about = {
  nameEn: 'Register of certified condominium management plans',
  publisher: '公益財団法人マンション管理センター (Condominium Management Center)',
  licence: 'None stated: facts only',
  attribution: '公益財団法人マンション管理センター 管理計画認定制度',
  url: 'https://www.mankan.or.jp/',
};
