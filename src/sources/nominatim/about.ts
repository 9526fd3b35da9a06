export const about = {
  nameEn: 'Nominatim (OpenStreetMap)',
  publisher: 'OpenStreetMap contributors',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
  url: 'https://nominatim.openstreetmap.org/',
};
