import { beforeEach, expect } from '@jest/globals';
import fc from 'fast-check';

/* What holds for every test file: properties take the run's seed, and a test that expects nothing fails. */

fc.configureGlobal({ seed: Number(process.env['FC_SEED']) });
beforeEach(() => expect.hasAssertions());
