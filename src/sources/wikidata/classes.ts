/**
 * The kind of an item, by its class (P31):
 * - building: a structure; the dates of the item are the building's.
 * - complex: several buildings (CON-12).
 * - venue: an institution in a building; its opening is the building's, its founding is not.
 * - site: a precinct or place of operation with a building; its dates are not the building's.
 */
export type EntityKind = 'complex' | 'building' | 'venue' | 'site';

/** By priority: an item of several classes has the first of their kinds. */
export const ENTITY_KINDS: readonly EntityKind[] = ['complex', 'building', 'venue', 'site'];

/**
 * Class → use, as a word with a known category; null if the class states only form, height, condition or fame.
 */
// biome-ignore format: a table, one class to a line
const CLASSES: Readonly<Record<EntityKind, Readonly<Record<string, string | null>>>> = {
  complex: {
    Q1497364: null, // building complex
    Q1497375: null, // architectural ensemble
    Q18247357: null, // group of structures or buildings
    Q66626342: null, // urban ensemble
    Q118896406: null, // twin towers
    Q28843552: 'factory', // factory complex
    Q23058156: 'museum', // museum complex
    Q58621988: 'temple', // temple complex
    Q98116669: 'religious building', // religious complex
    Q4156067: 'palace', // palace complex
  },
  building: {
    Q41176: null, // building
    Q11303: null, // skyscraper
    Q18142: null, // tower block: in Japanese 高層建築物, of any use
    Q33673393: null, // multi-storey building
    Q47012103: null, // mixed-use building
    Q35112127: null, // historic building
    Q95652804: null, // A-bombed building
    Q12377751: null, // building or structure under construction
    Q12518: null, // tower
    Q127038589: null, // free-standing tower
    Q1440476: null, // lattice tower
    Q200334: null, // bell tower
    Q1440300: 'observation tower',
    Q853854: 'clock tower',
    Q11166728: 'television tower',
    Q1798641: 'communications tower', // communication tower
    Q1068623: 'radio tower', // transmitter mast; 電波塔
    Q274153: 'water tower',
    Q39715: 'lighthouse',
    Q1021645: 'office building',
    Q655686: 'commercial building',
    Q18760388: 'retail building',
    Q76211894: 'supermarket', // supermarket building
    Q63099748: 'hotel building',
    Q11755880: 'residential building',
    Q13402009: 'apartment building',
    Q3947: 'house',
    Q1307276: 'single-family detached home',
    Q7419624: 'semi-detached house',
    Q18814858: 'terrace of houses',
    Q847950: 'dormitory',
    Q489357: 'farmhouse',
    Q3950: 'villa',
    Q1802963: 'mansion',
    Q879050: 'manor house',
    Q16884952: 'country house',
    Q481289: 'official residence',
    Q1362225: 'warehouse', // storage building
    Q181623: 'warehouse',
    Q12144897: 'industrial building',
    Q1662011: 'industrial building', // factory building
    Q671224: 'data center',
    Q13218805: 'multistorey car park',
    Q22733: 'garage',
    Q192375: 'aircraft hangar', // hangar
    Q849706: 'airport terminal',
    Q1339195: 'station building',
    Q1244442: 'school building',
    Q19844914: 'university building',
    Q39364723: 'hospital', // hospital building
    Q856584: 'library building',
    Q24699794: 'museum building',
    Q24354: 'theatre building',
    Q16831714: 'government building',
    Q294422: 'public building',
    Q52177058: 'civic building',
    Q7138926: 'parliament building',
    Q25550691: 'city hall',
    Q543654: 'town hall', // Rathaus
    Q1137809: 'courthouse',
    Q24398318: 'religious building',
    Q16970: 'church building',
    Q108325: 'chapel',
    Q2977: 'cathedral',
    Q56242215: 'cathedral', // Catholic cathedral
    Q32815: 'mosque',
    Q34627: 'synagogue',
    Q199451: 'pagoda',
    Q483110: 'stadium',
    Q641226: 'arena',
    Q1303167: 'barn',
    Q165044: 'greenhouse',
    Q16560: 'palace',
  },
  venue: {
    Q27686: 'hotel',
    Q216212: 'motel',
    Q11315: 'shopping center',
    Q216107: 'department store',
    Q33506: 'museum',
    Q207694: 'art museum',
    Q1007870: 'art gallery',
    Q16735822: 'history museum',
    Q588140: 'science museum',
    Q1970365: 'natural history museum',
    Q2087181: 'historic house museum',
    Q17431399: 'museum', // national museum
    Q7075: 'library',
    Q166118: 'archives',
    Q153562: 'opera house',
    Q1060829: 'concert hall',
    Q41253: 'movie theater',
    Q3469910: 'performing arts center',
    Q2190251: 'arts center',
    Q1329623: 'cultural center',
    Q1763828: 'multi-purpose hall',
    Q8719053: 'music venue',
    Q18674739: 'event venue',
    Q1378975: 'convention center',
    Q2281788: 'public aquarium',
    Q1254933: 'observatory', // astronomical observatory
    Q16917: 'hospital',
    Q1774898: 'clinic',
    Q861951: 'police station',
    Q1195942: 'fire station',
    Q3917681: 'embassy',
    Q83405: 'factory',
    Q159719: 'power station',
  },
  site: {
    Q55488: 'railway station',
    Q3914: 'school',
    Q126807: 'kindergarten',
    Q1076486: 'sports venue',
    Q44539: 'temple',
    Q5393308: 'buddhist temple',
    Q845945: 'shinto shrine',
    Q514480: 'shinto shrine', // Inari shrine
    Q697295: 'shrine',
    Q44613: 'monastery',
    Q92026: 'japanese castle',
    Q23413: 'castle',
  },
};

/** Classes of buildings that are gone or not built yet; such items are left out. */
export const ABSENT_CLASSES: ReadonlyMap<string, string> = new Map([
  ['Q19860854', 'destroyed or demolished'],
  ['Q811683', 'proposed, not built'],
]);

interface BuildingClass {
  kind: EntityKind;
  use: string | null;
}

export const BUILDING_CLASSES: ReadonlyMap<string, BuildingClass> = new Map(
  ENTITY_KINDS.flatMap((kind) => Object.entries(CLASSES[kind]).map(([item, use]) => [item, { kind, use }] as const)),
);
