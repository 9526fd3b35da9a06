import { readFile } from 'node:fs/promises';
import { BrokenFile } from '../files/broken-file.ts';
import { own, parseJson } from '../files/read-json.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { isCalendarDate } from '../vocabulary/time.ts';
import { checkZip } from './check-file.ts';
import { cutOffOfDay } from './cut-off.ts';
import type { FileRequest } from './downloader.ts';
import type { PublishedSource } from './published-source.ts';

const MAX_LIST_BYTES = 64e6;
const MAX_FILING_BYTES = 1e9;
/** Shorter keys, which EDINET does not issue, occur in any text. */
const KEY_LENGTH = 8;

/** EDINET: the annual reports of REITs in the list of a day. */
export const edinet: PublishedSource = {
  expected: 'a day, such as 2026-05-28',
  accepts: isCalendarDate,
  async fetch(what, { settings, download }) {
    const key = settings.edinetKey;
    if (key === undefined) {
      throw new FailureError({ kind: 'badSetting', setting: 'EDINET_API_KEY', reason: 'must be set to fetch edinet' });
    }
    const withKey = (path: string): Pick<FileRequest, 'url' | 'recordedUrl' | 'hasKey'> => {
      const recordedUrl = `${settings.urls.edinet}/api/v2/${path}`;
      const url = new URL(`${recordedUrl}&Subscription-Key=${encodeURIComponent(key)}`);
      return { url, recordedUrl, hasKey: true };
    };
    const list = await download({
      ...withKey(`documents.json?date=${what}&type=2`),
      ...{ name: `documents-${what}.json`, maxBytes: MAX_LIST_BYTES },
      async check({ known: { path } }) {
        const text = await readFile(path, 'utf8');
        // The key is kept nowhere, not even if EDINET sends it back.
        if (key.length >= KEY_LENGTH && text.includes(key)) throw new BrokenFile('the answer repeats the access key');
        readFilingList(text);
        return undefined;
      },
    });
    const filings = list === undefined ? [] : reitFilings(readFilingList(await readFile(list.path, 'utf8')));
    for (const id of filings) {
      await download({
        ...withKey(`documents/${id}?type=1`),
        ...{ name: `${id}.zip`, maxBytes: MAX_FILING_BYTES, isFinal: true, check: checkZip },
      });
    }
    return cutOffOfDay(what);
  },
};

/** The rows of a day's list. A refusal has status 200 too, and another form. */
function readFilingList(text: string): unknown[] {
  const list = parseJson(text);
  const results = own(list, 'results');
  if (String(own(own(list, 'metadata'), 'status')) !== '200' || !Array.isArray(results)) {
    throw new BrokenFile('EDINET did not send the list; check EDINET_API_KEY and the day');
  }
  return results;
}

/** The annual reports of REITs that were not withdrawn. */
function reitFilings(rows: readonly unknown[]): string[] {
  const ids = rows.flatMap((row) => {
    const id = own(row, 'docID');
    const isReit = own(row, 'ordinanceCode') === '030' && own(row, 'formCode') === '07B000';
    const isValid = isReit && String(own(row, 'withdrawalStatus')) === '0';
    return isValid && typeof id === 'string' && /^[A-Z\d]{8}$/.test(id) ? [id] : [];
  });
  return [...new Set(ids)];
}
