import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { LimitedLog } from '../../telemetry/limitedLog.ts';
import { type CapturedOutput, captureOutput } from '../../testing/output.ts';
import { StateFiles } from './stateFiles.ts';

let directory: string;
let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'flagwire-files-')), 'kept');
  output.clear();
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

/** The folder as one process uses it. */
const open = () => new StateFiles(directory, systemEffects.now, new LimitedLog(() => 0));
const schema = z.object({ n: z.number(), text: z.string() });
const large = 'x'.repeat(300_000);

test('a file is for its owner only, and read as it was written', async () => {
  const files = open();
  await files.write('a', { n: 1, text: 't' });
  expect(files.names()).toEqual(['a']);
  expect(files.read('a', schema)).toEqual({ n: 1, text: 't' });
  expect([statSync(directory).mode & 0o777, statSync(join(directory, 'a.json')).mode & 0o777]).toEqual([0o700, 0o600]);
  await files.remove('a');
  await files.remove('a');
  expect([files.names(), files.read('a', schema)]).toEqual([[], undefined]);
  expect(output.text()).toBe('');
});

describe('a file that cannot be used', () => {
  test.each([
    ['is empty', ''],
    ['was cut off', '{"n":1,"te'],
    ['is JSON of another form', '{"n":"1"}'],
    ['is null', 'null'],
    ['is an array', '[]'],
  ])('is set aside, reported once, and can be written again if it %s', async (_, text) => {
    const files = open();
    writeFileSync(join(directory, 'a.json'), text);
    expect(files.read('a', schema)).toBeUndefined();
    expect(files.read('a', schema)).toBeUndefined();
    expect(output.lines()).toEqual([
      expect.objectContaining({
        message: 'state file is invalid and was renamed',
        path: join(directory, 'a.json.unusable'),
        reason: expect.any(String),
      }),
    ]);
    expect(readFileSync(join(directory, 'a.json.unusable'), 'utf8')).toBe(text);
    await files.write('a', { n: 2, text: '' });
    expect(files.read('a', schema)?.n).toBe(2);
  });
});

test('reports a file that cannot be read, but not a missing one', () => {
  const files = open();
  mkdirSync(join(directory, 'folder.json'));
  expect([files.read('folder', schema), files.read('none', schema)]).toEqual([undefined, undefined]);
  expect(output.lines()).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'state file could not be read or written',
      path: join(directory, 'folder.json'),
      error: expect.objectContaining({ code: 'EISDIR' }),
    }),
  ]);
});

test('ignores half-written files of killed processes, and removes them after an hour', async () => {
  open();
  const [old, recent, own] = ['a.json.1.draft', 'b.json.2.draft', 'c.json'].map((name) => join(directory, name));
  for (const path of [old, recent, own]) writeFileSync(path as string, '{"n":');
  for (const path of [old, own]) utimesSync(path as string, 0, 0);
  expect(open().names()).toEqual(['c']);
  expect([old, recent, own].map((path) => existsSync(path as string))).toEqual([false, true, true]);
});

test('ignores files that another process removes during the start', () => {
  open();
  // Like a temporary file that was renamed after the folder was listed: listed by name, but missing.
  symlinkSync(join(directory, 'renamed'), join(directory, 'a.json.1.draft'));
  open();
  expect(output.text()).toBe('');
});

test('lets processes write the same files while others read', async () => {
  const processes = [open(), open(), open()];
  await processes[0]?.write('a', { n: 0, text: large });
  let isWriting = true;
  const writing = Promise.all(
    processes.map(async (files, n) => {
      for (let round = 0; round < 20; round++) await files.write('a', { n, text: large });
    }),
  ).finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    expect(processes[0]?.read('a', schema)?.text).toHaveLength(large.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  expect(readdirSync(directory)).toEqual(['a.json']);
  expect(output.text()).toBe('');
});

test('a file that could not be written leaves nothing behind', async () => {
  const files = open();
  mkdirSync(join(directory, 'a.json', 'in the way'), { recursive: true });
  await expect(files.write('a', { n: 1, text: large })).rejects.toThrow('rename');
  expect(readdirSync(directory)).toEqual(['a.json']);
});

test('keeps the last of the steps for one subject, also after a failed one', async () => {
  const files = open();
  for (let n = 0; n < 100; n++) {
    files.later('s', async () => {
      await files.write(`a${n}`, { n, text: '' });
      if (n === 0) throw new Error('a full disk');
    });
  }
  await files.flushed();
  expect(files.names().toSorted()).toEqual(['a0', 'a99']);
  expect(output.lines()).toHaveLength(1);
});

test('reports a folder that refuses writes in few lines, and uses it again later', async () => {
  const files = open();
  rmSync(directory, { recursive: true });
  for (let n = 0; n < 500; n++) {
    files.later(`s${n}`, () => files.write(`a${n}`, {}));
    expect([files.names(), files.read('a', schema)]).toEqual([[], undefined]);
  }
  await files.flushed();
  expect(output.lines().length).toBeLessThanOrEqual(10);
  open();
  files.later('s', () => files.write('a', { n: 1, text: '' }));
  await files.flushed();
  expect(files.read('a', schema)?.n).toBe(1);
});
