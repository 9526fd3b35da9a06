import { isObject, type Json, own } from '../../files/read-json.ts';
import { cleanText } from '../../vocabulary/text.ts';

/** A reply in any of Nominatim's output formats. */
export interface Reply {
  osmType: 'node' | 'way' | 'relation' | undefined;
  osmId: string | undefined;
  placeId: string | undefined;
  lat: number | undefined;
  lon: number | undefined;
  /** The key of its main OSM tag: building, highway. */
  category: string | undefined;
  addresstype: string | undefined;
  displayName: string;
  /** The parts of the address; empty for geocodejson, which has other levels. */
  address: ReadonlyMap<string, string>;
  postcode: string | undefined;
  /** It names something below the municipality, in any language. */
  below: boolean;
}

// biome-ignore format: levels of the address, then those of geocodejson
const BELOW_MUNICIPALITY = [
  'suburb', 'quarter', 'hamlet', 'neighbourhood', 'road', 'city_block', 'house_number',
  'district', 'locality', 'street', 'housenumber',
];

const OSM_TYPES: ReadonlyMap<string, NonNullable<Reply['osmType']>> = new Map([
  ['node', 'node'],
  ['way', 'way'],
  ['relation', 'relation'],
  ['N', 'node'],
  ['W', 'way'],
  ['R', 'relation'],
]);

const MAX_TEXT = 2_000;
export const MAX_ADDRESS_PARTS = 100;

/** The replies in a document: one, a list of them, or the features of a GeoJSON. */
export function repliesIn(document: unknown): Json[] {
  if (Array.isArray(document)) return document.filter(isObject);
  const features = own(document, 'features');
  if (Array.isArray(features)) return features.filter(isObject);
  return isObject(document) ? [document] : [];
}

const OF_A_REPLY = ['place_id', 'osm_id', 'osm_type', 'display_name', 'licence', 'address', 'geocoding', 'error'];

/** Whether an object has any key of a reply. */
export function isReply(reply: Json): boolean {
  const properties = own(reply, 'properties') ?? reply;
  return OF_A_REPLY.some((key) => own(properties, key) !== undefined || own(reply, key) !== undefined);
}

export function readReply(reply: Json): Reply {
  const properties = own(reply, 'properties') ?? reply;
  const geocoding = own(properties, 'geocoding');
  const fields = isObject(geocoding) ? geocoding : properties;
  const text = (...keys: string[]) => keys.map((key) => textOf(own(fields, key))).find((value) => value !== undefined);
  const position = own(own(reply, 'geometry'), 'coordinates');
  const [lon, lat] = Array.isArray(position) ? position : [own(fields, 'lon'), own(fields, 'lat')];
  const address = isObject(geocoding) ? new Map<string, string>() : addressIn(own(fields, 'address'));
  return {
    osmType: OSM_TYPES.get(text('osm_type') ?? ''),
    osmId: idOf(own(fields, 'osm_id')),
    placeId: idOf(own(fields, 'place_id')),
    lat: degrees(lat),
    lon: degrees(lon),
    category: text('category', 'class', 'osm_key'),
    addresstype: text('addresstype'),
    displayName: text('display_name', 'label') ?? '',
    address,
    postcode: address.get('postcode') ?? textOf(own(geocoding, 'postcode')),
    below: BELOW_MUNICIPALITY.some((level) => address.has(level) || own(geocoding, level) !== undefined),
  };
}

function addressIn(value: unknown): Map<string, string> {
  const parts = isObject(value) ? Object.entries(value).slice(0, MAX_ADDRESS_PARTS) : [];
  return new Map(
    parts.flatMap(([key, part]) => {
      const text = textOf(part);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return undefined;
  const text = cleanText(value);
  return text === '' ? undefined : text;
}

/** Numbers, or digits in text. */
function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^[1-9]\d{0,17}$/.test(text) ? text : undefined;
}

/** lat and lon come as text. */
function degrees(value: unknown): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^-?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined;
}
