import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { program, whyMissing } from './requirement.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flagwire-run-'));
  jest.replaceProperty(process, 'env', { PATH: process.env['PATH'], TEST_RUN_FOLDER: folder });
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function failing(name: string) {
  const find = jest.fn(() => Promise.reject(new Error('pip reaches no index. It said: WARNING\nretrying')));
  return { name, find };
}

describe('a requirement that is missing', () => {
  test('is looked for once in a run, also by others at the same time', async () => {
    const [first, second] = [failing('python'), failing('python')];
    const reason = 'pip reaches no index';
    expect(await Promise.all([whyMissing(first), whyMissing(second)])).toEqual([reason, reason]);
    expect(await whyMissing(first)).toBe(reason);
    expect(first.find.mock.calls.length + second.find.mock.calls.length).toBe(1);
    expect(jest.mocked(process.stderr.write).mock.calls.join()).toContain('retrying');
  });

  test('does not stand for others', async () => {
    await whyMissing(failing('python'));
    expect(await whyMissing(program('sh'))).toBeUndefined();
  });

  test('is an error if CI is set', async () => {
    process.env['CI'] = '1';
    await expect(whyMissing(failing('python'))).rejects.toThrow('It said: WARNING');
  });
});

test('a program is looked for on the path', async () => {
  expect(await whyMissing(program('no-such-program'))).toBe('there is no no-such-program on the path: install it');
});
