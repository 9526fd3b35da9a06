import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { BrokenFile } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { digestOf, type KnownFile } from '../files/verified-file.ts';
import { conditionsOf, hasValidators, readContentRange } from './conditions.ts';
import { fetchFailure, placeOf } from './fetch-failure.ts';
import type { FetchFolder, HeldFile, NamedFile, Part } from './fetch-folder.ts';
import { type Answer, faultOfAnswer, tooLarge, type WebClient, type WebRequest } from './web-client.ts';

export interface FileRequest extends WebRequest {
  /** The publisher's name of the file. */
  readonly name: string;
  /** Names that the answer may give the file instead (Content-Disposition). */
  readonly namedByAnswer?: RegExp;
  /** The address as it is recorded, if it differs from that of the request: without an access key. */
  readonly recordedUrl?: string;
  readonly maxBytes: number;
  /** The address of its MD5. */
  readonly md5?: URL;
  /** The file is left out if the publisher does not have it. */
  readonly isOptional?: true;
  /** The publisher never changes it. */
  readonly isFinal?: true;
  /** Throws if the file is not what it should be; returns the day that its content states. */
  check(file: FetchedFile): Promise<string | undefined>;
}

/** A file that has arrived, to be checked: its bytes, and where they are with their digest. */
export interface FetchedFile {
  readonly file: SourceFile;
  readonly known: KnownFile;
}

/** A file that is current, under its final name or not yet. */
export interface Downloaded extends NamedFile {
  /** Where its bytes are now. */
  path: string;
  /** The unfinished file that gets the final name. */
  part: string | undefined;
}

const TOLD_BYTES = 10e6;

/** Fetches files into a folder. Nothing under a final name changes before `FetchFolder.commit`. */
export class Downloader {
  readonly #web: WebClient;
  readonly #folder: FetchFolder;
  readonly #now: () => string;
  readonly #tell: (line: string) => void;

  constructor(web: WebClient, folder: FetchFolder, now: () => string, tell: (line: string) => void) {
    this.#web = web;
    this.#folder = folder;
    this.#now = now;
    this.#tell = tell;
  }

  /** Fetches a file, or confirms the one that is here. Undefined for an optional file that the publisher does not have. */
  async download(request: FileRequest): Promise<Downloaded | undefined> {
    const url = recordedUrlOf(request);
    const held = await this.#folder.intact(url);
    if (held !== undefined && request.isFinal === true && !hasValidators(held.file)) return this.#keep(request, held);
    const known = this.#folder.part(request.name, url);
    const part = known?.isComplete === true && !hasValidators(known) ? undefined : known;
    const headers = request.form === undefined ? conditionsOf(held?.file, part) : {};
    const answer = await this.#web.ask({ ...request, headers });
    if (answer.status === 416 && headers.range !== undefined) {
      answer.drop();
      this.#folder.dropPart(request.name);
      return this.download(request);
    }
    if (request.isOptional === true && (answer.status === 404 || answer.status === 410)) {
      answer.drop();
      return undefined;
    }
    const expected = [200, ...(headers.range === undefined ? [] : [206]), ...(isConditional(headers) ? [304] : [])];
    const fault = faultOfAnswer(answer, expected, request.maxBytes) ?? faultOfRange(answer, part);
    if (fault !== undefined) {
      answer.drop();
      if (answer.status === 206) this.#folder.dropPart(request.name);
      throw fetchFailure(request.url, fault);
    }
    if (answer.status === 304) {
      answer.drop();
      if (part?.isComplete === true) return this.#finish(request, part, held);
      return this.#keep(request, held as NamedFile);
    }
    const finished = await this.#receive(request, answer, part);
    return this.#finish(request, finished, held);
  }

  #keep(request: FileRequest, held: NamedFile): Downloaded {
    this.#folder.dropPart(request.name);
    return { ...held, path: this.#folder.pathOf(held.name), part: undefined };
  }

  /** Writes the answer to the unfinished file. What has arrived stays if the connection breaks. */
  async #receive(request: FileRequest, answer: Answer, resumed: (Part & { size: number }) | undefined): Promise<Part> {
    const { name, maxBytes } = request;
    const isResumed = answer.status === 206 && resumed !== undefined;
    const total = isResumed ? (readContentRange(answer.headers['content-range'])?.total ?? null) : lengthOf(answer);
    const part: Part = {
      url: recordedUrlOf(request),
      etag: answer.headers.etag ?? (isResumed ? resumed.etag : null),
      lastModified: answer.headers['last-modified'] ?? (isResumed ? resumed.lastModified : null),
      total,
      isComplete: false,
      finalName: isResumed ? resumed.finalName : finalNameOf(request, answer),
    };
    let size = isResumed ? resumed.size : 0;
    if (total !== null && total - size > TOLD_BYTES)
      this.#tell(`fetching ${placeOf(request.url)}, ${megabytes(total - size)} MB`);
    // An earlier file is emptied before the validators of this one are noted: a kill must not join the two.
    const file = await open(this.#folder.partPathOf(name), isResumed ? 'a' : 'w');
    try {
      if (!isResumed) this.#folder.putPart(name, part);
      for await (const chunk of answer.body()) {
        size += chunk.length;
        if (size > maxBytes) throw new BrokenFile(tooLarge(maxBytes));
        await file.writeFile(chunk);
      }
      await file.sync();
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      this.#folder.dropPart(name);
      throw fetchFailure(request.url, error.message);
    } finally {
      await file.close();
    }
    if (total !== null && size !== total) {
      throw fetchFailure(request.url, 'the file ended before its stated length; run it again to continue');
    }
    const complete = { ...part, total: size, isComplete: true };
    this.#folder.putPart(name, complete);
    return complete;
  }

  /** Checks a complete file. One that is not right is removed, so that the next run fetches it from the start. */
  async #finish(request: FileRequest, part: Part, held: NamedFile | undefined): Promise<Downloaded> {
    const path = this.#folder.partPathOf(request.name);
    const md5 = createHash('md5');
    const chunks = createReadStream(path) as AsyncIterable<Buffer>;
    const digest = await digestOf(chunks, async (chunk) => void md5.update(chunk));
    let cutOff: string | undefined;
    try {
      await this.#checkMd5(request, md5.digest('hex'));
      const bytes = () => createReadStream(path) as AsyncIterable<Buffer>;
      const file = { name: request.name, size: digest.bytes, bytes };
      cutOff = await request.check({ file, known: { ...digest, path } });
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      this.#folder.dropPart(request.name);
      throw fetchFailure(request.url, error.message);
    }
    const { url, etag, lastModified } = part;
    const isSame = held?.file.sha256 === digest.sha256;
    const file: HeldFile = {
      ...{ url, etag, lastModified, bytes: digest.bytes, sha256: digest.sha256 },
      ...{ fetchedAt: isSame ? held.file.fetchedAt : this.#now(), cutOff: cutOff ?? null },
    };
    if (isSame && held.name === part.finalName) return { ...this.#keep(request, held), file };
    return { name: part.finalName, file, path, part: request.name };
  }

  /** FTC-05 */
  async #checkMd5({ md5: url }: FileRequest, actual: string): Promise<void> {
    if (url === undefined) return;
    const text = await this.#web.readText({ url }, MAX_MD5_BYTES);
    if (text === undefined) {
      this.#tell(`${placeOf(url)}: not published, so the file is not compared with it`);
      return;
    }
    const [, stated] = /^\s*([\da-f]{32})\b/i.exec(text) ?? [];
    if (stated === undefined) throw fetchFailure(url, 'not an MD5 checksum');
    if (stated.toLowerCase() !== actual) {
      throw new BrokenFile('the checksum (MD5) of the publisher does not fit; nothing was kept, run it again');
    }
  }
}

const MAX_MD5_BYTES = 4_096;

function recordedUrlOf({ url, recordedUrl }: FileRequest): string {
  return recordedUrl ?? url.href;
}

const isConditional = (headers: Readonly<Record<string, string>>): boolean =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;

function lengthOf({ headers }: Answer): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** Why a partial answer does not continue the unfinished file. */
function faultOfRange({ status, headers }: Answer, part: (Part & { size: number }) | undefined): string | undefined {
  if (status !== 206 || part === undefined) return undefined;
  const range = readContentRange(headers['content-range']);
  const isNext =
    range?.start === part.size && (part.total === null || range.total === null || range.total === part.total);
  const isSameVersion = headers.etag === undefined || part.etag === null || headers.etag === part.etag;
  return isNext && isSameVersion
    ? undefined
    : 'the answer does not continue the unfinished file; run it again to start over';
}

/** The name in Content-Disposition, if it is one that the source expects. */
function finalNameOf({ name, namedByAnswer }: FileRequest, { headers }: Answer): string {
  const [, stated = ''] = /\bfilename="?([^";]+)"?/i.exec(headers['content-disposition'] ?? '') ?? [];
  return namedByAnswer?.test(stated) === true ? stated : name;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
