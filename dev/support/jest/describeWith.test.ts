import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { RunningProcess } from '../runningProcess.ts';
import { describeSkipped } from '../testRun.ts';
import { jestCommand } from '../tools/jest.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flagwire-run-'));
  writeFileSync(join(folder, 'packages.missing'), 'npm reaches no registry');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runJest(environment: NodeJS.ProcessEnv) {
  const tests = ['--testMatch', '**/dev/support/jest/testing/*.ts', '--runInBand'];
  const { CI, ...others } = process.env;
  const jest = new RunningProcess([process.execPath, ...jestCommand, ...tests], {
    cwd: repositoryRoot,
    environment: { ...others, TEST_RUN_FOLDER: folder, ...environment },
  });
  return { code: await jest.ended, output: jest.output };
}

const LACKS_PROGRAM = 'there is no no-such-program on the path: install it';

test('tests whose requirement is missing are skipped, and the run passes', async () => {
  const { code, output } = await runJest({});
  expect(output).toContain('1 skipped, 1 passed, 1 of 2 total');
  expect(code).toBe(0);
  expect(describeSkipped(folder).toSorted()).toEqual([
    'skipped: 1 test file: npm reaches no registry',
    `skipped: 1 test group: ${LACKS_PROGRAM}`,
  ]);
});

test('the run fails and names what is missing if CI is set', async () => {
  const { code, output } = await runJest({ CI: '1' });
  expect(code).toBe(1);
  expect(output).toContain(LACKS_PROGRAM);
  expect(output).toMatch(/Cannot find module 'no-such-package'/);
});
