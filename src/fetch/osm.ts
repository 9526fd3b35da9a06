import { checkOverpass, checkPbf } from './check-file.ts';
import { boxQuery, readBox } from './overpass-query.ts';
import type { Fetching, PublishedSource } from './published-source.ts';

const REGIONS = ['japan', 'hokkaido', 'tohoku', 'kanto', 'chubu', 'kansai', 'chugoku', 'shikoku', 'kyushu'];
const MAX_PBF_BYTES = 16e9;
const MAX_JSON_BYTES = 4e9;
/** The query may run for as long as it says itself. */
const PATIENCE_MS = 200_000;

/** OpenStreetMap: an extract of Geofabrik, or the buildings of a box from Overpass. */
export const osm: PublishedSource = {
  expected: `a region (${REGIONS.join(', ')}) or a box (west,south,east,north in degrees)`,
  accepts: (what) => REGIONS.includes(what) || readBox(what) !== undefined,
  async fetch(what, fetching) {
    const box = readBox(what);
    if (box === undefined) await fetchExtract(what, fetching);
    else await fetchBox(what, boxQuery(box), fetching);
    return undefined;
  },
};

async function fetchExtract(region: string, { settings, download }: Fetching): Promise<void> {
  const name = `${region}-latest.osm.pbf`;
  const url = `${settings.urls.osm}/asia/${region === 'japan' ? '' : 'japan/'}${name}`;
  await download({
    ...{ url: new URL(url), md5: new URL(`${url}.md5`) },
    ...{ name, maxBytes: MAX_PBF_BYTES, check: checkPbf },
  });
}

async function fetchBox(box: string, query: string, { settings, download }: Fetching): Promise<void> {
  const url = new URL(`${settings.urls.overpass}/api/interpreter`);
  await download({
    ...{ url, form: { data: query }, patienceMs: PATIENCE_MS, recordedUrl: `${url.href}#${box}` },
    ...{ name: `overpass-${box}.json`, maxBytes: MAX_JSON_BYTES, check: checkOverpass },
  });
}
