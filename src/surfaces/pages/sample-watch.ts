import { keptFor } from '../http/kept-for.ts';

const CHECK_MS = 10_000;

/** Whether the registry holds the bundled sample (UI-10). */
export interface SampleWatch {
  /** Checked at most every ten seconds. Some pages need no database, so a failed check gives the last known answer. */
  check(): Promise<boolean>;
  lastKnown(): boolean;
}

export function watchSample(
  holdsSample: () => Promise<boolean>,
  elapsed: () => number,
  onFault: (error: unknown) => void,
): SampleWatch {
  let held = false;
  const find = keptFor(CHECK_MS, holdsSample, elapsed);
  return {
    async check() {
      try {
        held = await find();
      } catch (error) {
        onFault(error);
      }
      return held;
    },
    lastKnown: () => held,
  };
}
