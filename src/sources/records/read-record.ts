import { isObject, type Json } from '../../files/read-json.ts';
import { formatAssetId, prefectureOfAsset } from '../../vocabulary/asset-id.ts';
import {
  type ComplexName,
  type Observation,
  TIERS,
  type Tier,
  type VenueObservation,
} from '../../vocabulary/evidence.ts';
import { FIELDS, faultInValue, isField } from '../../vocabulary/fields.ts';
import { readSourceUrl } from '../../vocabulary/source-url.ts';
import {
  confidenceOf,
  type ExtractionMethod,
  isExtractionMethod,
  isSource,
  type Source,
} from '../../vocabulary/sources.ts';
import { parseInstant } from '../../vocabulary/time.ts';
import type { RecordEntry } from './entry.ts';
import {
  InvalidLine,
  MAX_ID_LENGTH,
  readAssetKey,
  readGeometry,
  readId,
  readOptionalText,
  readText,
  refuseUnknownKeys,
} from './read-values.ts';

const MAX_URL_LENGTH = 4_000;
const MAX_OBSERVATIONS = 10_000;

const RECORD_KEYS = new Set([
  ...['kind', 'source', 'sourceRecordId', 'sourceUrl', 'retrievedAt', 'rawPayloadRef', 'extractionMethod'],
  ...['area', 'building', 'whole', 'geometry', 'observations', 'venues', 'complex'],
]);

export function readRecord(line: Json): RecordEntry {
  refuseUnknownKeys(line, RECORD_KEYS, '');
  const source = readSource(line.source);
  const extractionMethod = readMethod(line.extractionMethod, 'extractionMethod', source);
  const sourceRecordId = readId(line.sourceRecordId, 'sourceRecordId');
  const building = line.building == null ? null : readAssetKey(line.building, 'building');
  const area = line.area == null ? null : readText(line.area, 'area', 20);
  if (area !== null && !/^\d+$/.test(area)) throw new InvalidLine('area must be the code of a machiAza');
  if (building !== null && area !== null && prefectureOfAsset(building) !== area.slice(0, 2)) {
    throw new InvalidLine(
      `building ${formatAssetId(building)} is an ID of prefecture ${prefectureOfAsset(building)}, ` +
        `but area ${area} is in another`,
    );
  }
  const complex = line.complex == null ? null : readComplex(line.complex, source);
  const observations = readList(line.observations, 'observations')
    .map((item, i) => readObservation(item, `observations[${i}]`, source))
    .filter(refuseRepeatedScalars());
  const methods = [extractionMethod, ...observations.map((observation) => observation.extractionMethod)];
  if (complex === null && methods.includes('inherited-complex')) {
    throw new InvalidLine('extractionMethod inherited-complex needs the complex it is inherited from');
  }
  return {
    kind: 'record',
    source,
    sourceRecordId,
    building,
    statement: {
      sourceUrl: readUrl(line.sourceUrl),
      retrievedAt: readInstant(line.retrievedAt),
      rawPayloadRef: readId(line.rawPayloadRef, 'rawPayloadRef'),
      extractionMethod,
      whole: readBoolean(line.whole, 'whole'),
      area,
      geometry: line.geometry == null ? null : readGeometry(line.geometry, 'geometry'),
      observations,
      venues: readList(line.venues, 'venues').map((item, i) => readVenue(item, `venues[${i}]`)),
      complex,
    },
  };
}

const OBSERVATION_KEYS = new Set(['field', 'value', 'unit', 'tier', 'extractionMethod', 'confidence']);

function readObservation(item: unknown, at: string, source: Source): Observation {
  if (!isObject(item)) throw new InvalidLine(`${at} must be an object`);
  refuseUnknownKeys(item, OBSERVATION_KEYS, `${at}.`);
  const { field, value } = item;
  if (typeof field !== 'string' || !isField(field)) throw new InvalidLine(`${at}.field is not the name of a field`);
  const fault = faultInValue(field, value);
  if (fault !== undefined) throw new InvalidLine(`${at}.value: ${fault}`);
  const { unit } = FIELDS[field];
  if (item.unit != null && item.unit !== unit) {
    throw new InvalidLine(`${at}.unit: ${field} ${unit === null ? 'has no unit' : `is in ${unit}`}`);
  }
  const observation: Observation = {
    field,
    value: value as string | number,
    unit,
    tier: item.tier === undefined ? 'free' : readTier(item.tier, at),
  };
  if (item.extractionMethod !== undefined) {
    observation.extractionMethod = readMethod(item.extractionMethod, `${at}.extractionMethod`, source);
  }
  if (item.confidence !== undefined) {
    const { confidence } = item;
    if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
      throw new InvalidLine(`${at}.confidence must be a number from 0 to 1`);
    }
    observation.confidence = confidence;
  }
  return observation;
}

/** Only aliases and assetTypes may be repeated in one record. */
function refuseRepeatedScalars(): (observation: Observation, index: number) => boolean {
  const seen = new Set<string>();
  return ({ field }, index) => {
    if (seen.has(field) && !FIELDS[field].repeated)
      throw new InvalidLine(`observations[${index}]: ${field} is given twice`);
    seen.add(field);
    return true;
  };
}

const VENUE_KEYS = new Set(['nameJa', 'nameEn', 'category', 'level']);

function readVenue(item: unknown, at: string): VenueObservation {
  if (!isObject(item)) throw new InvalidLine(`${at} must be an object`);
  refuseUnknownKeys(item, VENUE_KEYS, `${at}.`);
  const nameJa = readOptionalText(item.nameJa, `${at}.nameJa`);
  const nameEn = readOptionalText(item.nameEn, `${at}.nameEn`);
  if (nameJa === null && nameEn === null) throw new InvalidLine(`${at} has no name`);
  const level = Number.isFinite(item.level) ? String(item.level) : item.level;
  return {
    nameJa,
    nameEn,
    category: readText(item.category, `${at}.category`, MAX_ID_LENGTH),
    level: readOptionalText(level, `${at}.level`),
  };
}

const COMPLEX_KEYS = new Set(['nameJa', 'nameEn']);

function readComplex(item: unknown, source: Source): ComplexName {
  if (source !== 'wikidata') throw new InvalidLine('complex: only a wikidata record describes a complex');
  if (!isObject(item)) throw new InvalidLine('complex must be an object');
  refuseUnknownKeys(item, COMPLEX_KEYS, 'complex.');
  return {
    nameJa: readOptionalText(item.nameJa, 'complex.nameJa'),
    nameEn: readOptionalText(item.nameEn, 'complex.nameEn'),
  };
}

function readBoolean(value: unknown, at: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new InvalidLine(`${at} must be true or false`);
  return value;
}

function readList(value: unknown, at: string): unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw new InvalidLine(`${at} must be a list`);
  if (value.length > MAX_OBSERVATIONS) throw new InvalidLine(`${at} has more than ${MAX_OBSERVATIONS} entries`);
  return value;
}

function readSource(value: unknown): Source {
  if (value === undefined) throw new InvalidLine('source is missing');
  if (typeof value !== 'string' || !isSource(value)) throw new InvalidLine('source is not the name of a source');
  if (value === 'dnk') throw new InvalidLine('source dnk is reserved for values that the service computes');
  return value;
}

function readMethod(value: unknown, at: string, source: Source): ExtractionMethod {
  if (value === undefined) throw new InvalidLine(`${at} is missing`);
  if (typeof value !== 'string' || !isExtractionMethod(value))
    throw new InvalidLine(`${at} is not an extraction method`);
  if (confidenceOf(source, value) === undefined) throw new InvalidLine(`${at}: ${source} is not read by ${value}`);
  return value;
}

function readTier(value: unknown, at: string): Tier {
  if (!(TIERS as readonly unknown[]).includes(value)) throw new InvalidLine(`${at}.tier must be ${TIERS.join(', ')}`);
  return value as Tier;
}

function readInstant(value: unknown): string {
  if (value === undefined) throw new InvalidLine('retrievedAt is missing');
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) throw new InvalidLine('retrievedAt must be a date and time such as 2026-01-31T00:00:00Z');
  return instant;
}

function readUrl(value: unknown): string {
  const read = readSourceUrl(readText(value, 'sourceUrl', MAX_URL_LENGTH));
  if (!read.ok) throw new InvalidLine(`sourceUrl ${read.failure}`);
  return read.value.url;
}
