import { afterEach, expect } from 'vitest';
import { takeFaultsSent } from './faults-sent.ts';

/** Run before every test file, also where files share their modules. */
afterEach(() => expect(takeFaultsSent()).toEqual([]));
