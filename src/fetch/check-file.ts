import { createReadStream } from 'node:fs';
import { BrokenFile } from '../files/broken-file.ts';
import { decodeText } from '../files/decode-text.ts';
import { isObject, JsonElementSplitter, own, readJson } from '../files/read-json.ts';
import { ZipArchive } from '../files/zip-archive.ts';
import { surveyFrames } from '../sources/osm/pbf/read-blobs.ts';
import { cutOffOfOverpass, cutOffOfReplication } from './cut-off.ts';
import type { FetchedFile } from './downloader.ts';
import { HTML_PAGE } from './web-client.ts';

const HEAD_BYTES = 4_096;

async function headOf({ known }: FetchedFile): Promise<string> {
  for await (const chunk of createReadStream(known.path, { end: HEAD_BYTES - 1 })) return chunk.toString('utf8');
  throw new BrokenFile('the answer is empty');
}

function refuseHtml(head: string): void {
  if (/^\ufeff?\s*<(?:!doctype|html|head|body)/i.test(head)) throw new BrokenFile(HTML_PAGE);
}

/** A zip with its whole directory. Its entries are checked when they are read. */
export async function checkZip(fetched: FetchedFile): Promise<undefined> {
  const head = await headOf(fetched);
  refuseHtml(head);
  if (/^\ufeff?\s*[{[]/.test(head)) throw new BrokenFile('the answer is JSON instead of a zip');
  if (!head.startsWith('PK')) throw new BrokenFile('the answer is not a zip');
  const zip = await ZipArchive.open(fetched.known);
  zip.close();
  if (zip.entries.length === 0) throw new BrokenFile('the zip is empty');
}

/** A PBF whose blobs are all there. */
export async function checkPbf(fetched: FetchedFile): Promise<string | undefined> {
  refuseHtml(await headOf(fetched));
  return cutOffOfReplication(await surveyFrames(fetched.file));
}

/** A complete Overpass answer. A query that failed half-way still answers with status 200, and says so in `remark`. */
export async function checkOverpass(fetched: FetchedFile): Promise<string | undefined> {
  const head = await headOf(fetched);
  refuseHtml(head);
  let remark = '';
  const splitter = new JsonElementSplitter(
    'elements',
    () => {},
    (key, value) => {
      if (key === 'remark') remark = value;
    },
  );
  for await (const text of decodeText(fetched.file.bytes(), 'utf-8')) splitter.write(text);
  splitter.end();
  if (/error/i.test(remark)) {
    throw new BrokenFile('the query failed (an error in its remark); try again later, or with a smaller box');
  }
  return cutOffOfOverpass(head);
}

const MAX_JSON_BYTES = 64 << 20;

/** A document of Special:EntityData. */
export async function checkEntity(fetched: FetchedFile): Promise<undefined> {
  refuseHtml(await headOf(fetched));
  const entities = own(await readJson(fetched.file, MAX_JSON_BYTES), 'entities');
  if (!isObject(entities) || !Object.values(entities).some(isObject)) throw new BrokenFile('no entity in the answer');
}
