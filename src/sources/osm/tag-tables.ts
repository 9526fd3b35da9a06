/** How OSM tags are read: which make a building, and which keys state its values. */

/** Values of `building` for areas that are not, no longer or not yet buildings. */
export const NOT_BUILDINGS: ReadonlySet<string> = new Set([
  'no',
  'none',
  'demolished',
  'razed',
  'removed',
  'destroyed',
  'collapsed',
  'proposed',
  'planned',
  'construction',
  'under_construction',
  'ruins',
  'ruin',
]);

/** Keys that cancel a `building` tag on the same element. Other lifecycle prefixes (`was:`, `proposed:`) do not. */
export const CANCELLING_KEYS: readonly string[] = [
  'demolished:building',
  'razed:building',
  'removed:building',
  'destroyed:building',
];
/** Keys that cancel it with the value `yes`. */
export const CANCELLING_FLAGS: readonly string[] = [
  'demolished',
  'razed',
  'removed',
  'destroyed',
  'ruins',
  'proposed',
  'construction',
];

export const NAME_JA_KEYS = ['name:ja', 'name', 'addr:housename'] as const;
export const NAME_EN_KEYS = ['name:en', 'int_name'] as const;
/** Each may have several values, separated by semicolons. */
export const ALIAS_KEYS = [
  'name:ja',
  'name',
  ...['alt_name', 'official_name', 'old_name', 'short_name', 'loc_name'].flatMap((key) => [key, `${key}:ja`]),
  'addr:housename',
  ...['alt_name:en', 'official_name:en', 'old_name:en', 'short_name:en'],
] as const;

/** The levels of an address from large to small; the first key present is used. */
export const ADDRESS_KEYS = {
  full: ['addr:full'],
  prefecture: ['addr:province', 'addr:state', 'addr:prefecture'],
  county: ['addr:county'],
  city: ['addr:city', 'addr:town', 'addr:village'],
  ward: ['addr:suburb', 'addr:ward'],
  quarter: ['addr:quarter', 'addr:place'],
  neighbourhood: ['addr:neighbourhood'],
  block: ['addr:block_number', 'addr:block'],
  house: ['addr:housenumber'],
  postcode: ['addr:postcode'],
} as const satisfies Record<string, readonly string[]>;

export const HEIGHT_KEYS = ['height', 'building:height'] as const;
export const LEVELS_ABOVE = 'building:levels';
export const LEVELS_BELOW = 'building:levels:underground';
/** Negative if the building begins underground. */
export const LOWEST_LEVEL = 'building:min_level';

/** Keys that state a use; category-aliases has them as `key=value`. */
export const USE_KEYS = [
  ...['amenity', 'shop', 'office', 'tourism', 'leisure', 'healthcare', 'craft', 'industrial', 'club', 'education'],
  ...['government', 'diplomatic', 'military', 'emergency', 'social_facility', 'museum', 'historic', 'man_made'],
  ...['tower:type', 'railway', 'public_transport', 'aeroway', 'aerialway', 'power', 'telecom', 'utility', 'parking'],
] as const;

/** States why a building is known, not how it is used. */
export const NOT_USES: ReadonlySet<string> = new Set(['tourism=artwork']);

/** Single-family houses: their name is mostly that of the residents, unless one of `PUBLIC_KEYS` is present. */
export const FAMILY_HOUSES: ReadonlySet<string> = new Set(['house', 'detached', 'semidetached_house', 'bungalow']);
export const PUBLIC_KEYS = ['wikidata', 'wikipedia', 'heritage', ...USE_KEYS] as const;

/** Keys of a venue; the first one present is its category. */
export const VENUE_KEYS = ['amenity', 'shop', 'tourism', 'office', 'leisure', 'healthcare', 'craft'] as const;

/** Equipment and outdoor places, which may have a name but are not inside a building. */
export const NOT_VENUES: Readonly<Record<(typeof VENUE_KEYS)[number], ReadonlySet<string>>> = {
  amenity: new Set([
    ...['no', 'yes', 'atm', 'bench', 'bicycle_parking', 'bicycle_rental', 'bicycle_repair_station', 'car_sharing'],
    ...['charging_station', 'clock', 'drinking_water', 'fire_hydrant', 'fountain', 'grit_bin', 'grave_yard'],
    ...['kick-scooter_rental', 'left_luggage', 'letter_box', 'loading_dock', 'lounger', 'motorcycle_parking'],
    ...['parking', 'parking_entrance', 'parking_space', 'photo_booth', 'post_box', 'public_bookcase', 'recycling'],
    ...['scooter_rental', 'shelter', 'smoking_area', 'table', 'taxi', 'telephone', 'ticket_validator', 'toilets'],
    ...['vending_machine', 'waste_basket', 'waste_disposal', 'water_point', 'weighbridge'],
  ]),
  shop: new Set(['no', 'vacant']),
  tourism: new Set(['no', 'yes', 'artwork', 'attraction', 'information', 'picnic_site', 'camp_pitch']),
  office: new Set(['no', 'vacant']),
  leisure: new Set(['no', 'firepit', 'garden', 'outdoor_seating', 'park', 'picnic_table', 'pitch', 'playground']),
  healthcare: new Set(['no', 'yes']),
  craft: new Set(['no']),
};

/** A node with one of these is a stop, a door, a tree or the like, whatever its other tags. */
export const NON_VENUE_KEYS = [
  'highway',
  'public_transport',
  'railway',
  'entrance',
  'natural',
  'barrier',
  'place',
] as const;

const KEPT: ReadonlySet<string> = new Set<string>([
  ...['building', 'building:part', 'type', 'wikidata', 'wikipedia', 'heritage', 'level'],
  ...CANCELLING_KEYS,
  ...CANCELLING_FLAGS,
  ...NAME_JA_KEYS,
  ...NAME_EN_KEYS,
  ...ALIAS_KEYS,
  ...Object.values(ADDRESS_KEYS).flat(),
  ...Object.values(ADDRESS_KEYS)
    .flat()
    .map((key) => `${key}:ja`),
  ...HEIGHT_KEYS,
  ...[LEVELS_ABOVE, LEVELS_BELOW, LOWEST_LEVEL],
  ...USE_KEYS,
  ...NON_VENUE_KEYS,
]);

/** Whether the key is read at all; others (survey notes, colours, opening hours) are dropped. */
export function isKeptKey(key: string): boolean {
  return KEPT.has(key) || isReference(key);
}

/** Whether its values identify the object in another register: `ref:MLIT_PLATEAU`. */
export const isReference = (key: string): boolean => key.startsWith('ref:') && key.length > 4;
