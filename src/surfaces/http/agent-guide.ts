import { CATEGORIES } from '../../vocabulary/categories.ts';

/** AGT-01: how to search, for the instructions of the MCP server and for llms.txt. */
export const SEARCH_GUIDE = [
  '`q` matches literally: each word must be a part of one value (ID, Japanese name, English name, Japanese address or one ' +
    'alias). Case and width do not matter; nothing is transliterated or fuzzy: 東京駅, not "Tokyo eki".',
  'Addresses are mostly written 丸の内一丁目9番2号 (丁目 in kanji numerals): for 丸の内1-9-2 search that, then ' +
    '丸の内一丁目9-2, then 丸の内一丁目9番 or the slug of the machi-aza.',
  'Areas go by slug in lower case: prefecture tokyo, ward minato-ku (a ward, city, town or village; in a large city ' +
    'osaka-shi-kita-ku), machiAza marunouchi-1-chome.',
  `\`type\` is a category (${CATEGORIES.join(', ')}) or a word for one (apartments, museum, 事務所). General words (tower, ` +
    'building, ビル) stand for none.',
  'Ranges: floorsMin, floorsMax, heightMin, heightMax (metres), builtMin, builtMax (year); has=owner,yearBuilt,noConflict,' +
    'venues,reit; sort=recorded, footprint, height, floors, built, name or distance; near=35.6812,139.7671 with radius in ' +
    'metres (500; at most 5,000); bbox=west,south,east,north.',
] as const;

/** AGT-01: which view to read. */
export const VIEW_GUIDE =
  '`view=summary` gives names, address, uses, position and main figures with their sources: use it to read many buildings. ' +
  'Read a full record, or the summary of one building with every field, for the evidence.';

/** AGT-01: how to cite values, and what the registry does not know. */
export const EVIDENCE_GUIDE = [
  'Cite a value with its source, date and sourceUrl (one that begins with / is on this service), say so if it has a ' +
    '`conflict` (the best value that a source states differently), and show the credits of `attribution`.',
  'An absent field is not known to any source; it is not zero and not false. `estimated` values were computed ' +
    '(source dnk) or inherited from a larger complex. A year in the future is a plan.',
  'The registry does not know tenants, asking rents, prices of flats, photos or land registration. Owners are known only ' +
    'where a source names them, and buildings are missing where no source was loaded.',
] as const;
