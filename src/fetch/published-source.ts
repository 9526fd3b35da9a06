import type { Downloaded, FileRequest } from './downloader.ts';
import type { WebClient } from './web-client.ts';

/** The settings of `fetch`. */
export interface FetchSettings {
  /** Base addresses, without a slash at the end. */
  readonly urls: Readonly<
    Record<'osm' | 'overpass' | 'plateau' | 'abr' | 'estat' | 'wikidataQuery' | 'wikidata' | 'edinet', string>
  >;
  readonly edinetKey: string | undefined;
  /** How publishers reach the operator. */
  readonly contact: string | undefined;
}

/** What a source fetches with. */
export interface Fetching {
  readonly settings: FetchSettings;
  readonly web: WebClient;
  download(request: FileRequest): Promise<Downloaded | undefined>;
  tell(line: string): void;
}

/** A source that its publisher offers for download. */
export interface PublishedSource {
  /** What can be fetched, as it follows "expected" in an error. */
  readonly expected: string;
  accepts(what: string): boolean;
  /** Fetches it; returns the cut-off that the publisher states apart from the files. */
  fetch(what: string, fetching: Fetching): Promise<string | undefined>;
}

/** A two-digit code of a prefecture. */
export const isPrefectureCode = (text: string): boolean => /^(?:0[1-9]|[1-3]\d|4[0-7])$/.test(text);

export const PREFECTURE = 'a prefecture by its code, 01 to 47';
