import { afterEach, expect } from 'vitest';
import { takeFaultsSent } from './faults-sent.ts';

/** Runs before every test file, also if files share their modules. */
afterEach(() => expect(takeFaultsSent()).toEqual([]));
