import { hash } from 'node:crypto';
import { expandText, type StoredText } from '../storage/compact/compact.ts';
import type { StatementTable } from '../storage/tables.ts';
import type { Observation, Statement, VenueObservation } from '../vocabulary/evidence.ts';
import { FIELDS } from '../vocabulary/fields.ts';
import { readSourceUrl } from '../vocabulary/source-url.ts';
import { withoutHidden } from '../vocabulary/text.ts';

type StoredObservation = Omit<Observation, 'unit' | 'tier'> & Partial<Pick<Observation, 'tier'>>;

interface StoredBody extends Partial<Omit<Statement, 'observations' | 'venues'>> {
  observations?: StoredObservation[];
  venues?: Partial<VenueObservation>[];
}

/** The stored body of a statement. Default values are left out, and units follow from the field. */
export function encodeBody(statement: Statement): string {
  const { sourceUrl, extractionMethod, whole, area, municipality, geometry, observations, venues, complex, links } =
    statement;
  const body: StoredBody = { sourceUrl, extractionMethod };
  if (whole) body.whole = true;
  if (area !== null) body.area = area;
  if (municipality !== undefined) body.municipality = municipality;
  if (geometry !== null) body.geometry = geometry;
  if (complex !== null) body.complex = complex;
  if (observations.length > 0) {
    body.observations = observations.map(({ field, value, tier, extractionMethod: method, confidence }) => {
      const stored: StoredObservation = { field, value };
      if (tier !== 'free') stored.tier = tier;
      if (method !== undefined) stored.extractionMethod = method;
      if (confidence !== undefined) stored.confidence = confidence;
      return stored;
    });
  }
  if (venues.length > 0) body.venues = venues;
  if (links !== undefined && links.length > 0) body.links = links;
  return JSON.stringify(body);
}

function restoreObservation(stored: StoredObservation): Observation {
  const observation = stored as Observation;
  observation.unit = FIELDS[stored.field].unit;
  observation.tier = stored.tier ?? 'free';
  return observation;
}

/** How the payload of a statement is cited that is its content. */
export function refOfBody(body: string): string {
  return `sha256:${hash('sha256', body, 'hex')}`;
}

/** 90 bits: enough that no two lines of all of Japan share a hash. */
const HASH_LENGTH = 15;

/** The hash by which a repeated line of the record format is recognised. */
export function hashOfLine(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url').slice(0, HASH_LENGTH);
}

/** The same for a record of another format, which is recognised by its content. */
export function hashOfContent(key: string, retrievedAt: string, rawPayloadRef: string): string {
  return hashOfLine(`${key}\n${retrievedAt}\n${rawPayloadRef}`);
}

/** The first byte of a stored digest. No text begins with it. */
const DIGEST = 0;
const DIGEST_REF = /^sha256:[0-9a-f]{64}$/;

/** How the payload of a statement is stored: null if it is the content of the statement, mostly a digest otherwise. */
export function encodePayload(ref: string, body: string): Uint8Array | null {
  if (!DIGEST_REF.test(ref)) return Buffer.from(ref);
  return ref === refOfBody(body) ? null : Buffer.from(`00${ref.slice('sha256:'.length)}`, 'hex');
}

function decodePayload(payload: Uint8Array | null, body: string): string {
  if (payload === null) return refOfBody(body);
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  return bytes[0] === DIGEST ? `sha256:${bytes.toString('hex', 1)}` : bytes.toString();
}

/** How the payload of a stored statement is cited. */
export function payloadRef({ payload, body }: Pick<StatementTable, 'payload' | 'body'>): string {
  return decodePayload(payload, payload === null ? expandText(body) : '');
}

export function decodeBody(retrievedAt: string, payload: Uint8Array | null, stored: StoredText): Statement {
  const text = expandText(stored);
  const rawPayloadRef = decodePayload(payload, text);
  const body = cleanBody(JSON.parse(text) as StoredBody & Pick<Statement, 'sourceUrl' | 'extractionMethod'>);
  const statement: Statement = {
    sourceUrl: body.sourceUrl,
    retrievedAt,
    rawPayloadRef,
    extractionMethod: body.extractionMethod,
    whole: body.whole ?? false,
    area: body.area ?? null,
    geometry: body.geometry ?? null,
    observations: (body.observations ?? []).map(restoreObservation),
    venues: (body.venues ?? []) as VenueObservation[],
    complex: body.complex ?? null,
  };
  if (body.municipality !== undefined) statement.municipality = body.municipality;
  if (body.links !== undefined) statement.links = body.links;
  return statement;
}

/** Earlier versions stored texts and addresses unchanged, so what must not be published is removed on reading. */
function cleanBody<B extends StoredBody & Pick<Statement, 'sourceUrl'>>(body: B): B {
  body.sourceUrl = cleanUrl(body.sourceUrl);
  for (const observation of body.observations ?? []) {
    if (typeof observation.value === 'string') observation.value = withoutHidden(observation.value);
  }
  if (body.observations?.some(({ value }) => value === '')) {
    body.observations = body.observations.filter(({ value }) => value !== '');
  }
  for (const named of [...(body.venues ?? []), ...(body.complex == null ? [] : [body.complex])]) {
    cleanNames(named);
  }
  if (body.venues !== undefined) {
    for (const venue of body.venues) {
      if (venue.category !== undefined) venue.category = withoutHidden(venue.category);
      if (venue.level != null) venue.level = withoutHidden(venue.level) || null;
    }
    body.venues = body.venues.filter(({ nameJa, nameEn }) => nameJa != null || nameEn != null);
  }
  return body;
}

/** If credentials cannot be separated from the address, no address is cited. */
function cleanUrl(text: string): string {
  const plain = withoutHidden(text);
  const address = readSourceUrl(plain);
  if (address.ok) return address.value.url;
  return plain.includes('@') ? '' : plain;
}

function cleanNames(named: { nameJa?: string | null; nameEn?: string | null }): void {
  for (const key of ['nameJa', 'nameEn'] as const) {
    const name = named[key];
    if (name != null) named[key] = withoutHidden(name) || null;
  }
}
