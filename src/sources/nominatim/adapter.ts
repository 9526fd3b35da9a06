import { ForeignFile, untilBroken } from '../../files/broken-file.ts';
import { isObject, type Json, own, readJson, readJsonLines } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { isWebAddress } from '../../vocabulary/source-url.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Adapter, FileLine, Item, Reading } from '../adapter.ts';
import { type Draft, newDraft, noteHidden, observe, setGeometry } from '../draft.ts';
import { composeAddress } from './compose-address.ts';
import { isReply, MAX_ADDRESS_PARTS, type Reply, readReply, repliesIn } from './read-reply.ts';

const SERVICE = 'https://nominatim.openstreetmap.org';
const MAX_DOCUMENT_BYTES = 16 << 20;
const NOTHING_FOUND = 'the geocoder found nothing; reply left out';

export const nominatim: Adapter = {
  source: 'nominatim',
  expected: '.json, .geojson, .ndjson or .jsonl with replies of Nominatim',
  reads: (name) => /\.(json|geojson|ndjson|jsonl)$/i.test(name),
  async *read(files, reading) {
    for (const file of files) yield* untilBroken(file.name, readFile(file, reading));
  },
};

async function* readFile(file: SourceFile, reading: Reading): AsyncGenerator<Item[]> {
  if (!/\.(ndjson|jsonl)$/i.test(file.name)) {
    const document = await readJson(file, MAX_DOCUMENT_BYTES);
    const replies = repliesIn(document);
    const isEmptyList = Array.isArray(document) && document.length === 0;
    if (isEmptyList) yield [{ kind: 'note', at: { file: file.name, line: 1 }, record: null, reason: NOTHING_FOUND }];
    else if (!replies.some(isReply)) throw new ForeignFile('no reply of Nominatim in the file');
    yield replies.flatMap((reply, index) => itemsOf(reply, { file: file.name, line: index + 1 }, reading));
    return;
  }
  for await (const lines of readJsonLines(file)) {
    yield lines.flatMap((found): Item[] => {
      const at = { file: file.name, line: found.line };
      if ('fault' in found) return [{ kind: 'rejected', at, record: null, reason: found.fault }];
      return repliesIn(found.value).flatMap((reply) => itemsOf(reply, at, reading));
    });
  }
}

function itemsOf(json: Json, at: FileLine, reading: Reading): Item[] {
  if (own(json, 'error') !== undefined) {
    return [{ kind: 'note', at, record: null, reason: NOTHING_FOUND }];
  }
  const reply = readReply(json);
  const id = identify(reply);
  const rejected = (reason: string): Item[] => [{ kind: 'rejected', at, record: id ?? null, reason }];
  if (id === undefined) return rejected('incomplete reply: no OSM ID, place ID or coordinates');
  if ((reply.address.get('country_code') ?? 'jp') !== 'jp') return rejected('not in Japan (country_code)');
  const draft = newDraft(id, urlOf(reply, reading), 'geocode-reverse');
  if (reply.lat !== undefined && reply.lon !== undefined) {
    const fault = setGeometry(draft, { type: 'Point', coordinates: [reply.lon, reply.lat] });
    if (fault !== undefined) return rejected(`point ${fault}`);
  }
  if (isBuilding(reply)) draft.links.push(`osm:${reply.osmType}/${reply.osmId}`);
  noteTexts(draft, json);
  addAddress(draft, reply);
  const notes = draft.notes.map((reason): Item => ({ kind: 'note', at, record: id, reason }));
  // Only the address is used, so a reply without one makes no record.
  return draft.observations.length === 0 ? notes : [...notes, { kind: 'record', at, record: draft }];
}

/** Notes hidden characters in the parts of the address. */
function noteTexts(draft: Draft, json: Json): void {
  const address = own(own(json, 'properties') ?? json, 'address');
  if (!isObject(address)) return;
  for (const [key, text] of Object.entries(address).slice(0, MAX_ADDRESS_PARTS)) {
    if (typeof text === 'string') noteHidden(draft, `address.${printable(key, 40)}`, text);
  }
}

/** Without anything below the municipality the postcode is that of the municipal office, and is not used. */
function addAddress(draft: Draft, reply: Reply): void {
  if (!reply.below) {
    draft.notes.push('the address ends at the municipality and is not used');
    return;
  }
  const digits = /^〒?\s*(\d{3})-?(\d{4})$/u.exec((reply.postcode ?? '').normalize('NFKC'));
  if (digits !== null) observe(draft, 'postcode', `${digits[1]}-${digits[2]}`);
  else if (reply.postcode !== undefined) draft.notes.push('postcode must have the form NNN-NNNN');
  if (reply.address.size === 0) return;
  const composed = composeAddress(reply);
  if (composed.ok) observe(draft, 'addressJa', composed.value.address);
  const note = composed.ok ? composed.value.note : `no addressJa: ${composed.failure}`;
  if (note !== undefined) draft.notes.push(note);
}

function identify({ osmType, osmId, placeId, lat, lon }: Reply): string | undefined {
  if (osmType !== undefined && osmId !== undefined) return `${osmType}/${osmId}`;
  if (placeId !== undefined) return `place/${placeId}`;
  return lat === undefined || lon === undefined ? undefined : `${lat},${lon}`;
}

function urlOf({ lat, lon, osmType, osmId, placeId }: Reply, { url }: Reading): string {
  if (lat !== undefined && lon !== undefined) return `${SERVICE}/reverse?lat=${lat}&lon=${lon}&format=jsonv2`;
  if (url !== undefined && isWebAddress(url)) return url;
  if (osmType === undefined || osmId === undefined) return `${SERVICE}/details?place_id=${placeId}`;
  return `${SERVICE}/details?osmtype=${osmType[0]?.toUpperCase()}&osmid=${osmId}`;
}

/** Older replies lack category and addresstype; there a building is what the address begins with. */
function isBuilding({ osmType, osmId, category, addresstype, address, displayName }: Reply): boolean {
  if ((osmType !== 'way' && osmType !== 'relation') || osmId === undefined) return false;
  if (category !== undefined || addresstype !== undefined) return category === 'building' || addresstype === 'building';
  const building = address.get('building');
  return building !== undefined && displayName.split(/[,、]/u)[0]?.trim() === building;
}
