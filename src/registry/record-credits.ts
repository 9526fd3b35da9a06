import { attributionOf, type Credits, creditsOf } from '../vocabulary/attribution.ts';
import { SOURCES, type Source } from '../vocabulary/sources.ts';
import type { StoredPage } from './records.ts';

/** ATT-01: the sources of everything that a record publishes. */
export function creditsOfPage({ fields, assetTypes, aliases, footprint, venues }: StoredPage): Credits {
  const published = [...Object.values(fields), ...assetTypes, ...aliases, ...venues, footprint];
  return creditsOf(published.flatMap((each) => each?.provenance.source ?? []));
}

/** The start of every provenance; inside a JSON string its quotation marks would be escaped. */
const PROVENANCE = Buffer.from('"provenance":{"source":"');
const LONGEST_NAME = Math.max(...SOURCES.map((source) => source.length));

/** ATT-03: the same sources from the stored bytes, for records that were published before the sources were stored. */
export function creditsIn(body: Uint8Array): Credits {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const found = new Set<Source>();
  for (let at = text.indexOf(PROVENANCE); at !== -1; at = text.indexOf(PROVENANCE, at)) {
    at += PROVENANCE.length;
    const [name] = text.toString('latin1', at, at + LONGEST_NAME + 1).split('"');
    found.add(name as Source);
  }
  return creditsOf(found);
}

const parts = new Map<Credits, Buffer>();

/** `attribution` as the bytes that follow the stored part of a record. */
export function attributionPart(credits: Credits): Buffer {
  let part = parts.get(credits);
  if (part === undefined) {
    part = Buffer.from(`,"attribution":${JSON.stringify(attributionOf(credits))}`);
    parts.set(credits, part);
  }
  return part;
}
