import { checkZip } from './check-file.ts';
import { isPrefectureCode, PREFECTURE, type PublishedSource } from './published-source.ts';

const MAX_BYTES = 4e9;
const OF_JAPAN = ['mt_pref', 'mt_city'];
const OF_PREFECTURE = ['mt_town', 'mt_town_pos', 'mt_rsdtdsp_rsdt', 'mt_rsdtdsp_rsdt_pos'];

/** The Address Base Registry: areas of Japan, and machi-aza and residences of a prefecture. */
export const abr: PublishedSource = {
  expected: PREFECTURE,
  accepts: isPrefectureCode,
  async fetch(what, { settings, download }) {
    const paths = [
      ...OF_JAPAN.map((table) => `${table}/${table}_all.csv.zip`),
      ...OF_PREFECTURE.map((table) => `${table}/pref/${table}_pref${what}.csv.zip`),
    ];
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      await download({ url: new URL(`${settings.urls.abr}/${path}`), name, maxBytes: MAX_BYTES, check: checkZip });
    }
    return undefined;
  },
};
