import { PbfReader } from 'pbf';
import { printable } from '../../../vocabulary/text.ts';
import { BrokenFile } from '../../broken-file.ts';
import { decoding } from './decoding.ts';

const REQUIRED_FEATURES = 4;
const OPTIONAL_FEATURES = 5;
const KNOWN: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/** Refuses a file that asks of its readers what is not done here. */
export function checkHeader(bytes: Uint8Array): void {
  const { required, optional } = readFeatures(bytes);
  for (const feature of required) {
    if (KNOWN.has(feature)) continue;
    throw new BrokenFile(
      feature === 'HistoricalInformation'
        ? 'it is a history of OpenStreetMap, which is not read: make an extract of one moment of it'
        : `it requires ${printable(feature, 60)}, which is not read`,
    );
  }
  if (optional.includes('LocationsOnWays')) {
    throw new BrokenFile('it has places on ways instead of nodes (LocationsOnWays), which is not read');
  }
}

function readFeatures(bytes: Uint8Array): { required: string[]; optional: string[] } {
  return decoding(() => {
    const reader = new PbfReader(bytes);
    const features = { required: [] as string[], optional: [] as string[] };
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === REQUIRED_FEATURES) features.required.push(reader.readString());
      else if (field === OPTIONAL_FEATURES) features.optional.push(reader.readString());
    }
    return features;
  });
}
