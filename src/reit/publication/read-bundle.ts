import { findDuplicateKey } from '../../vocabulary/find-duplicate-key.ts';
import { isDateMetric, splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { printable } from '../../vocabulary/text.ts';
import { parseInstant } from '../../vocabulary/time.ts';
import { type Bundle, type BundleFault, BundleSchema, fault, pointerStep, type RawBundle } from './bundle.ts';
import { faultsInReferences } from './check-references.ts';
import { type BundleValueKind, readBundleValue, shapeChecker } from './check-values.ts';
import type { Measure } from './measure.ts';

const checkShape = shapeChecker(BundleSchema);

/** Parses the text of bundle.json; a failure lists everything that is wrong. */
export function parseBundle(text: string): Result<Bundle, BundleFault[]> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return fail([fault('', 'not JSON', 'give a JSON file in UTF-8')]);
  }
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) {
    return fail([fault('', `the key "${printable(duplicate, 60)}" appears twice in one object`, 'keep one of them')]);
  }
  return readBundle(value);
}

/** Checks the shape, then the values, then the references, and stops at the first step with faults. */
export function readBundle(value: unknown): Result<Bundle, BundleFault[]> {
  const shapeFaults = checkShape(value);
  if (shapeFaults.length > 0) return fail(shapeFaults);
  const raw = value as RawBundle;
  const faults: BundleFault[] = [];
  const read = (given: unknown, at: string, kind: BundleValueKind): Measure | null => {
    const result = readBundleValue(given, at, kind);
    if ('value' in result) return result.value;
    faults.push(...result.faults);
    return null;
  };
  const bundle: Bundle = {
    ...raw,
    sourceRevisions: raw.sourceRevisions.map((revision, i) => ({
      ...revision,
      publishedAt: inUtc(revision.publishedAt),
      retrievedAt: inUtc(revision.retrievedAt),
      fields: revision.fields.map(({ path, value, citations }, j) => ({
        path,
        value: read(value, `/sourceRevisions${pointerStep(i)}/fields${pointerStep(j)}/value`, kindOf(path)),
        citations,
      })),
    })),
    matches: raw.matches.map((match) => ({ ...match, reviewedAt: inUtc(match.reviewedAt) })),
    transactions: raw.transactions.map((transaction, i) => ({
      ...transaction,
      price: read(transaction.price, `/transactions${pointerStep(i)}/price`, 'price') as Measure,
    })),
  };
  if (faults.length > 0) return fail(faults);
  const referenceFaults = faultsInReferences(raw);
  return referenceFaults.length > 0 ? fail(firstOfEach(referenceFaults)) : ok(bundle);
}

/** The first fault of each place. */
function firstOfEach(faults: readonly BundleFault[]): BundleFault[] {
  return [...Map.groupBy(faults, ({ path }) => path).values()].map(([first]) => first as BundleFault);
}

function kindOf(path: string): BundleValueKind {
  return isDateMetric(splitFieldPath(path)?.metric ?? '') ? 'date' : 'amount';
}

/** Normalised, because two notations of one instant would make two documents. */
function inUtc(instant: string): string {
  return parseInstant(instant) ?? instant;
}
