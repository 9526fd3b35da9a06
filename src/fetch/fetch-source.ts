import { join } from 'node:path';
import { SOURCE_FACTS } from '../vocabulary/source-facts.ts';
import { abr } from './abr.ts';
import { cutOffOfLastModified } from './cut-off.ts';
import { type Downloaded, Downloader } from './downloader.ts';
import { edinet } from './edinet.ts';
import { estat } from './estat.ts';
import { FetchFolder } from './fetch-folder.ts';
import { osm } from './osm.ts';
import { plateau } from './plateau.ts';
import type { FetchSettings, PublishedSource } from './published-source.ts';
import { WebClient, type WebSettings } from './web-client.ts';
import { wikidata } from './wikidata.ts';

const PUBLISHED = { osm, plateau, abr, estat, wikidata, edinet } as const satisfies Record<string, PublishedSource>;

export type FetchSourceName = keyof typeof PUBLISHED;
export const FETCH_SOURCES = Object.keys(PUBLISHED) as FetchSourceName[];

/** What can be fetched of a source, in words. */
export const expectedOf = (source: FetchSourceName): string => PUBLISHED[source].expected;

export const canFetch = (source: FetchSourceName, what: string): boolean => PUBLISHED[source].accepts(what);

export interface FetchJob {
  source: FetchSourceName;
  what: string;
  /** The folder of the files. */
  into: string;
  settings: FetchSettings;
  now(): string;
  /** Receives the terms and the credit of a source that was not fetched before. */
  print(line: string): void;
  /** Receives notes on the way. */
  tell(line: string): void;
  limits?: Pick<WebSettings, 'stallMs' | 'maxWaitMs'>;
}

export interface FetchOutcome {
  state: 'new' | 'unchanged';
  /** The day up to which the data is current. */
  cutOff: string;
  /** When the newest of the files arrived. */
  fetchedAt: string;
  files: { path: string; bytes: number; isNew: boolean }[];
}

/** Fetches what a publisher has now. Either every file gets its final name, or none does (FTC-03). */
export async function fetchSource(job: FetchJob): Promise<FetchOutcome> {
  const { source, what, settings, now, tell, limits } = job;
  const folder = FetchFolder.open(job.into);
  const web = new WebClient({ contact: settings.contact, trustedHosts: hostsOf(settings), tell, ...limits });
  try {
    if (!folder.knows(source)) printTerms(source, job.print);
    const downloader = new Downloader(web, folder, now, tell);
    const files: Downloaded[] = [];
    const stated = await PUBLISHED[source].fetch(what, {
      settings,
      web,
      tell,
      async download(request) {
        const file = await downloader.download(request);
        if (file !== undefined) files.push(file);
        return file;
      },
    });
    return finish(job, folder, files, stated);
  } finally {
    web.close();
    folder.close();
  }
}

function finish(
  { source, what, into, now }: FetchJob,
  folder: FetchFolder,
  files: readonly Downloaded[],
  stated: string | undefined,
): FetchOutcome {
  const key = `${source} ${what}`;
  const earlier = folder.entry(key);
  const names = files.map(({ name }) => name).sort();
  const isNew = files.some(({ part }) => part !== undefined) || earlier?.files.join('/') !== names.join('/');
  const fetchedAt = isNew ? now() : (earlier?.fetchedAt ?? now());
  const contents = files.flatMap(({ file }) => file.cutOff ?? []);
  const cutOff =
    stated ??
    contents.toSorted().at(-1) ??
    cutOffOfLastModified(files.map(({ file }) => file.lastModified)) ??
    fetchedAt.slice(0, 10);
  folder.commit(key, { cutOff, fetchedAt, files: names }, files);
  return {
    ...{ state: isNew ? 'new' : 'unchanged', cutOff, fetchedAt },
    files: files.map(({ name, file, part }) => ({
      ...{ path: join(into, name), bytes: file.bytes, isNew: part !== undefined },
    })),
  };
}

/** FTC-07 */
function printTerms(source: FetchSourceName, print: (line: string) => void): void {
  const { nameEn, publisher, licence, licenceUrl, attribution } = SOURCE_FACTS[source];
  print(`${nameEn}, published by ${publisher}`);
  print(`terms: ${licence}, ${licenceUrl}`);
  print(`credit: ${attribution}`);
}

function hostsOf({ urls }: FetchSettings): Set<string> {
  return new Set(Object.values(urls).map((url) => new URL(url).host));
}
