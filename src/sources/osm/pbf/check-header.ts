import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';
import { printable } from '../../../vocabulary/text.ts';
import { decoding } from './decoding.ts';

const REQUIRED_FEATURES = 4;
const KNOWN: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes', 'LocationsOnWays']);

/** Refuses a file that asks of its readers what is not done here. */
export function checkHeader(bytes: Uint8Array): void {
  for (const feature of readRequired(bytes)) {
    if (KNOWN.has(feature)) continue;
    throw new BrokenFile(
      feature === 'HistoricalInformation'
        ? 'it is a history of OpenStreetMap, which is not read: make an extract of one moment of it'
        : `it requires ${printable(feature, 60)}, which is not read`,
    );
  }
}

function readRequired(bytes: Uint8Array): string[] {
  return decoding(() => {
    const reader = new PbfReader(bytes);
    const features: string[] = [];
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === REQUIRED_FEATURES) features.push(reader.readString());
    }
    return features;
  });
}
