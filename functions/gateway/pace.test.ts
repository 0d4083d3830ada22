import { expect, test } from '@jest/globals';
import { createPace, type Pace, paced } from './pace.ts';

/** Asks for turns at once. @returns how long each waited, in milliseconds */
async function waits(pace: Pace, count: number, paused: number[]): Promise<number[]> {
  paused.length = 0;
  for (let n = 0; n < count; n++) await pace.turn();
  return [...paused];
}

test('turns come at the rate, in order; a pause is made up for by those of 50 ms', async () => {
  let now = 5_000;
  const paused: number[] = [];
  const pace = createPace(40, { monotonic: () => now, pause: async (ms) => void paused.push(ms) });
  expect(await waits(pace, 5, paused)).toEqual([25, 50, 75]);
  now += 75;
  expect(await waits(pace, 1, paused)).toEqual([25]);
  now += 60_000;
  expect(await waits(pace, 4, paused)).toEqual([25, 50]);
});

test.each([4, 0.1])('lets the first after a pause come at once at %d a second, too', async (perSecond) => {
  let now = 0;
  const paused: number[] = [];
  const pace = createPace(perSecond, { monotonic: () => now, pause: async (ms) => void paused.push(ms) });
  const interval = 1_000 / perSecond;
  expect(await waits(pace, 3, paused)).toEqual([interval, 2 * interval]);
  now += 60_000;
  expect(await waits(pace, 2, paused)).toEqual([interval]);
});

test('a paced sender sends each message at its turn', async () => {
  const happened: unknown[] = [];
  const pace = createPace(1, { monotonic: () => 0, pause: async (ms) => void happened.push(ms) });
  const post = async (...message: [string, string]) => {
    happened.push(message);
    return 'gone' as const;
  };
  const sender = paced({ post }, pace);
  expect(await sender.post('c', '1')).toBe('gone');
  await sender.post('d', '2');
  expect(happened).toEqual([['c', '1'], 1_000, ['d', '2']]);
});
