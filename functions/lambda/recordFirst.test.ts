import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { recordFirst } from './recordFirst.ts';

let output: CapturedOutput;
/** Results of the next attempts to record. */
let results: ('recorded' | 'refused')[];
let attempts: number;

beforeEach(() => {
  output = captureOutput();
  [results, attempts] = [[], 0];
});
afterEach(() => output.release());

async function record(): Promise<void> {
  attempts++;
  if (results.shift() === 'refused') throw new Error('the table refused');
}

test('the first call records, and later calls do not', async () => {
  const handled: unknown[] = [];
  const handler = recordFirst<string, number>(record, async (...given) => {
    handled.push(given);
  });
  for (const event of ['a', 'b', 'c']) await handler(event, 7);
  expect([attempts, handled]).toEqual([
    1,
    [
      ['a', 7],
      ['b', 7],
      ['c', 7],
    ],
  ]);
});

test('a failed record is retried in the next call, logged once, and fails no call', async () => {
  results = ['refused', 'refused', 'recorded'];
  const handler = recordFirst(record, async () => {});
  for (let call = 0; call < 4; call++) await handler({}, {});
  expect(attempts).toBe(3);
  expect(output.lines()).toEqual([
    expect.objectContaining({ level: 'WARN', message: 'description of the service not recorded' }),
  ]);
});

test('a failed call records, and fails', async () => {
  const handler = recordFirst(record, () => Promise.reject(new Error('not healed')));
  await expect(handler({}, {})).rejects.toThrow('not healed');
  expect(attempts).toBe(1);
});
