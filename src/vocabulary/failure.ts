import type { AssetKey } from './asset-id.ts';
import type { Tombstone } from './tombstone.ts';

/**
 * Every expected failure, by kind. A function whose caller can act on a failure returns it in a `Result`; code that cannot
 * continue throws it in a `FailureError`. Any other error is a fault of the program.
 */
type Failure =
  | { kind: 'malformedId' }
  | { kind: 'unknownBuilding' }
  | { kind: 'movedBuilding'; survivor: AssetKey }
  | { kind: 'retiredBuilding'; tombstone: Tombstone }
  | { kind: 'unknownArea' }
  | { kind: 'busy' }
  | { kind: 'refused'; reason: string }
  | { kind: 'badSetting'; setting: string; reason: string }
  | { kind: 'brokenFile'; file?: string; reason: string }
  | { kind: 'foreignFile'; reason: string }
  | { kind: 'invalidLine'; reason: string }
  | { kind: 'locked' | 'migration' | 'connection' | 'backup' | 'fetch'; reason: string };

export type FailureOf<K extends Failure['kind']> = Extract<Failure, { kind: K }>;

/** Carries a failure up to the code that handles it: the reader of a file, the command line or the server. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(describeFailure(failure), options);
    this.name = 'FailureError';
    this.failure = failure;
  }
}

function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'malformedId':
      return 'not an asset ID: it has the form ASSET-JP-NN-NNNNNNNN';
    case 'unknownBuilding':
      return 'no building has this ID';
    case 'movedBuilding':
      return 'the building is known under another ID';
    case 'retiredBuilding':
      return 'the building was retired';
    case 'unknownArea':
      return 'no published building is in such an area';
    case 'busy':
      return 'too many long answers are being sent';
    case 'badSetting':
      return `${failure.setting}: ${failure.reason}`;
    case 'brokenFile':
      return failure.file === undefined ? failure.reason : `${failure.file}: ${failure.reason}`;
    default:
      return failure.reason;
  }
}
