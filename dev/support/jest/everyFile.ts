import { readFileSync } from 'node:fs';
import { beforeEach, expect } from '@jest/globals';

/* What holds for every test file: properties take the run's seed, and a test that expects nothing fails. */

const { testPath } = expect.getState();
// One file in six has properties, and loading the library takes longer than most of the others take in all.
if (testPath === undefined || readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env['FC_SEED']) });
}
beforeEach(() => expect.hasAssertions());
