/** What must be said of the source wherever its values are shown. */
export const about = {
  nameEn: 'OpenStreetMap',
  publisher: 'OpenStreetMap contributors',
  licence: 'ODbL-1.0',
  attribution: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
} as const;
