import type { AssetKey } from './asset-id.ts';

/** Every way in which a question or a command can fail, other than a fault of the program itself. */
type Failure =
  | { kind: 'malformedId' }
  | { kind: 'unknownBuilding' }
  | { kind: 'movedBuilding'; survivor: AssetKey }
  | { kind: 'unknownArea' }
  | { kind: 'busy' }
  | { kind: 'refused'; reason: string }
  | { kind: 'brokenFile'; file: string; reason: string }
  | { kind: 'badSetting'; setting: string; reason: string };

export type FailureOf<K extends Failure['kind']> = Extract<Failure, { kind: K }>;

/** A failure on its way up through code that cannot go on; the command line and the server unwrap it. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(describeFailure(failure));
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
    case 'unknownArea':
      return 'no published building is in such an area';
    case 'busy':
      return 'too many long answers are being sent';
    case 'brokenFile':
      return `${failure.file}: ${failure.reason}`;
    case 'badSetting':
      return `${failure.setting}: ${failure.reason}`;
    case 'refused':
      return failure.reason;
  }
}
