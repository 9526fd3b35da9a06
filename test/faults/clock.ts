/** Preloaded into a command (`--import`) to give it another time. Only the time of day is changed: timers go on as usual. */
import { readFileSync } from 'node:fs';

const { FAULTS_FIXED_NOW: fixed, FAULTS_CLOCK_FILE: file } = process.env;
const RealDate = Date;
const LOOK_AGAIN_MS = 10;
let [shift, looked] = [0, Number.NEGATIVE_INFINITY];

/** The shift in milliseconds that the test has written last. */
function currentShift(): number {
  if (file !== undefined && performance.now() > looked + LOOK_AGAIN_MS) {
    looked = performance.now();
    shift = Number(readFileSync(file, 'utf8'));
  }
  return shift;
}

const now = () => RealDate.now() + currentShift();
/** What is written bears one time; deadlines, which use `Date.now`, still pass. */
const writtenNow = fixed === undefined ? now : () => RealDate.parse(fixed);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], self) => Reflect.construct(target, args.length > 0 ? args : [writtenNow()], self),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
