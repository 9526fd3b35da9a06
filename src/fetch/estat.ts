import { checkZip } from './check-file.ts';
import { isPrefectureCode, PREFECTURE, type PublishedSource } from './published-source.ts';

/** Small areas of the census of 2020. */
const SURVEY = 'A002005212020';
const MAX_BYTES = 1e9;

/** e-Stat: boundaries of small areas of a prefecture, in longitude and latitude of JGD2011. */
export const estat: PublishedSource = {
  expected: PREFECTURE,
  accepts: isPrefectureCode,
  async fetch(what, { settings, download }) {
    const query = `dlserveyId=${SURVEY}&code=${what}&coordSys=1&format=shape&downloadType=5&datum=2011`;
    await download({
      url: new URL(`${settings.urls.estat}/gis/statmap-search/data?${query}`),
      name: `${SURVEY}DDSWC${what}.zip`,
      namedByAnswer: /^A\d{12}[A-Z]{1,8}\d{2,5}[\w-]{0,20}\.zip$/,
      maxBytes: MAX_BYTES,
      check: checkZip,
    });
    return undefined;
  },
};
