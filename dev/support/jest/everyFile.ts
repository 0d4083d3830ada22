import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from '@jest/globals';
import { runFolder } from '../testRun.ts';

/* What holds for every test file: properties take the run's seed, and a test that expects nothing fails. */

const { testPath } = expect.getState();
// One file in six has properties, and loading the library takes longer than most of the others take in all.
if (testPath === undefined || readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env['FC_SEED']) });
}
// Processes of tests start in half the time. jest's workers have no cache: to write one, they would take too long to exit.
process.env['NODE_COMPILE_CACHE'] = join(runFolder(), 'compiled');
beforeEach(() => expect.hasAssertions());
