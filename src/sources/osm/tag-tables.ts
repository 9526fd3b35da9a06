/** How OSM tags are read: what makes a building, and which keys say what of it. */

/** Values of `building` of what is no building, no longer one, or none yet. */
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

/** Tags that take back a `building` beside them. Other lifecycle prefixes (`was:`, `proposed:`) do not. */
export const CANCELLING_KEYS: readonly string[] = [
  'demolished:building',
  'razed:building',
  'removed:building',
  'destroyed:building',
];
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
/** Each may hold several, by semicolon. */
export const ALIAS_KEYS = [
  'name:ja',
  'name',
  ...['alt_name', 'official_name', 'old_name', 'short_name', 'loc_name'].flatMap((key) => [key, `${key}:ja`]),
  'addr:housename',
  ...['alt_name:en', 'official_name:en', 'old_name:en', 'short_name:en'],
] as const;

/** The levels of an address from large to small; of each the first key that is there. */
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
/** Below zero where the building begins under ground. */
export const LOWEST_LEVEL = 'building:min_level';

/** Keys that say what a building is used for; category-aliases writes them as `key=value`. */
export const USE_KEYS = [
  ...['amenity', 'shop', 'office', 'tourism', 'leisure', 'healthcare', 'craft', 'industrial', 'club', 'education'],
  ...['government', 'diplomatic', 'military', 'emergency', 'social_facility', 'museum', 'historic', 'man_made'],
  ...['tower:type', 'railway', 'public_transport', 'aeroway', 'aerialway', 'power', 'telecom', 'utility', 'parking'],
] as const;

/** Says what the building is admired for, and not what it is used for. */
export const NOT_USES: ReadonlySet<string> = new Set(['tourism=artwork']);

/** Houses of one family: a name on them is mostly that of who lives there, unless something makes them public. */
export const FAMILY_HOUSES: ReadonlySet<string> = new Set(['house', 'detached', 'semidetached_house', 'bungalow']);
export const PUBLIC_KEYS = ['wikidata', 'wikipedia', 'heritage', ...USE_KEYS] as const;

/** Keys of a venue; the first that is there gives its category. */
export const VENUE_KEYS = ['amenity', 'shop', 'tourism', 'office', 'leisure', 'healthcare', 'craft'] as const;

/** Equipment and places in the open that carry a name, but are nothing that stands in a building. */
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

/** A node with one of these is a stop, a door, a tree or the like, whatever else it is tagged with. */
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

/** Whether anything here reads the key; the others (survey notes, colours, opening hours) are not held. */
export function isKeptKey(key: string): boolean {
  return KEPT.has(key);
}
