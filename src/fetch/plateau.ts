import { own } from '../files/read-json.ts';
import { parseWebUrl } from '../vocabulary/source-url.ts';
import { checkZip } from './check-file.ts';
import { cutOffOfCkan } from './cut-off.ts';
import { fetchFailure } from './fetch-failure.ts';
import type { Fetching, PublishedSource } from './published-source.ts';

const MAX_BYTES = 32e9;
const MAX_ANSWER_BYTES = 64e6;
const ROWS = 100;
const MAX_PAGES = 100;

/** Project PLATEAU: the newest CityGML of a city, found in the catalogue (CKAN) of the G-spatial Information Center. */
export const plateau: PublishedSource = {
  expected: 'a municipality by its five-digit code, such as 13111',
  accepts: (what) => /^\d{5}$/.test(what),
  async fetch(what, fetching) {
    const { url, name, lastModified } = await findModel(what, fetching);
    await fetching.download({ url, name, maxBytes: MAX_BYTES, check: checkZip });
    return cutOffOfCkan(lastModified);
  },
};

interface CityModel {
  url: URL;
  name: string;
  lastModified: unknown;
}

async function findModel(code: string, fetching: Fetching): Promise<CityModel> {
  const base = new URL(fetching.settings.urls.plateau);
  const packages = await listPackages(code, fetching);
  if (packages.length === 0) throw fetchFailure(base, `no package plateau-${code}-… in the catalogue`);
  // The newest year may have only other formats.
  for (const each of packages) {
    const found = chooseResource(each.resources ?? (await showResources(each.name, fetching)));
    if (found === undefined) continue;
    const url = parseWebUrl(found.url);
    const isSafe = url !== undefined && (url.protocol === 'https:' || base.protocol === 'http:');
    if (!isSafe) throw fetchFailure(base, `the catalogue has no usable address of the CityGML of ${each.name}`);
    return { url, name: fileNameOf(url) ?? `${each.name}.zip`, lastModified: found.lastModified };
  }
  throw fetchFailure(base, `no package plateau-${code}-… has a zip of CityGML`);
}

interface Package {
  name: string;
  year: number;
  resources: unknown;
}

/** A longer name of a resource is none of those that are looked for. */
const MAX_NAME = 200;

/** The packages of a city, the newest first. */
async function listPackages(code: string, { settings, web }: Fetching): Promise<Package[]> {
  const pattern = new RegExp(`^plateau-${code}-(?:.+-)?(\\d{4})$`);
  const packages: Package[] = [];
  let seen = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ q: `plateau-${code}`, rows: String(ROWS), start: String(seen) });
    const { url, result } = await askCatalogue(`package_search?${query}`, { settings, web });
    const [count, results] = [own(result, 'count'), own(result, 'results')];
    if (typeof count !== 'number' || !Array.isArray(results)) throw fetchFailure(url, NO_CATALOGUE);
    for (const each of results) {
      const name = own(each, 'name');
      const year = typeof name === 'string' ? pattern.exec(name)?.[1] : undefined;
      if (year === undefined) continue;
      packages.push({ name: name as string, year: Number(year), resources: own(each, 'resources') });
    }
    seen += results.length;
    if (results.length === 0 || seen >= count) break;
  }
  return packages.sort((a, b) => b.year - a.year || (a.name < b.name ? -1 : 1));
}

/** The resources of a package, which a catalogue may leave out of its lists. */
async function showResources(name: string, fetching: Fetching): Promise<unknown> {
  const { result } = await askCatalogue(`package_show?${new URLSearchParams({ id: name })}`, fetching);
  return own(result, 'resources');
}

const NO_CATALOGUE = 'not an answer of the catalogue, or an error of it';

async function askCatalogue(
  action: string,
  { settings, web }: Pick<Fetching, 'settings' | 'web'>,
): Promise<{ url: URL; result: unknown }> {
  const url = new URL(`${settings.urls.plateau}/api/3/action/${action}`);
  const answer = await web.readJson({ url }, MAX_ANSWER_BYTES);
  if (own(answer, 'success') !== true) throw fetchFailure(url, NO_CATALOGUE);
  return { url, result: own(answer, 'result') };
}

interface Resource {
  url: string;
  lastModified: unknown;
  /** The version in its name, then that in the name of the file. */
  versions: number[];
}

/** The zip named CityGML with the highest version: `CityGML（v4）`, not the CityGML of a use case. */
export function chooseResource(resources: unknown): Omit<Resource, 'versions'> | undefined {
  const found = (Array.isArray(resources) ? resources : []).flatMap((each): Resource[] => {
    const [name, url] = [own(each, 'name'), own(each, 'url')];
    if (typeof name !== 'string' || typeof url !== 'string' || name.length > MAX_NAME) return [];
    const named = /^CityGML\s*(?:\(?\s*v?\s*([\d.]+)\s*\)?)?$/i.exec(name.normalize('NFKC').trim());
    if (named === null || !isZip(url, own(each, 'format'))) return [];
    const release = /_citygml_([\d_]+)_op\.zip$/i.exec(url)?.[1]?.split('_') ?? [];
    const versions = [...numbersOf(named[1]?.split('.') ?? []), -1, ...numbersOf(release)];
    return [{ url, lastModified: own(each, 'last_modified'), versions }];
  });
  return found.sort((a, b) => compareVersions(b.versions, a.versions))[0];
}

const numbersOf = (texts: readonly string[]): number[] => texts.filter((text) => text !== '').map(Number);

const isZip = (url: string, format: unknown): boolean =>
  /\.zip$/i.test(URL.parse(url)?.pathname ?? '') || (typeof format === 'string' && /^zip$/i.test(format.trim()));

function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The publisher's name of a file, if it can be used as one here. */
function fileNameOf(url: URL): string | undefined {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  return /^\w[\w.-]{0,150}\.zip$/i.test(name) ? name : undefined;
}
