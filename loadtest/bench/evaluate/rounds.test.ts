import { describe, expect, test } from '@jest/globals';
import { type Contestant, race } from './rounds.ts';

describe('race', () => {
  test('warms everybody up, then goes round after round', async () => {
    const calls: string[] = [];
    const contestant = (name: string): Contestant => ({ name, run: (turn) => calls.push(`${name}${turn}`) });
    const timings = await race([contestant('a'), contestant('b')], { rounds: 2, sampleMs: 0 });
    expect(calls).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'a3', 'b3', 'a4', 'b4']);
    expect(timings.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('waits for an operation to be done before the next', async () => {
    let running = 0;
    const run = async () => {
      running += 1;
      await Promise.resolve();
      expect(running).toBe(1);
      running -= 1;
    };
    await race([{ name: 'asynchronous', run }], { rounds: 3, sampleMs: 1 });
    expect(running).toBe(0);
  });
});
