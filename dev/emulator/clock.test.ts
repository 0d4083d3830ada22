import { expect, test } from '@jest/globals';
import { systemClock } from './clock.ts';

test('the system clock calls no timer early by its own time', async () => {
  const early: number[] = [];
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const due = systemClock.now() + n;
        return new Promise<void>((resolve) =>
          systemClock.after(n, () => {
            if (systemClock.now() < due) early.push(due - systemClock.now());
            resolve();
          }),
        );
      }),
    );
  }
  expect(early).toEqual([]);
});
