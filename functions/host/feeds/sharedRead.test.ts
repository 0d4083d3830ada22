import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SharedRead } from './sharedRead.ts';

/** Reads that end when they are told to; each gives the time at which it began. */
function controlled() {
  let clock = 0;
  const running: { began: number; end: (error?: Error) => void }[] = [];
  const begun: number[] = [];
  const shared = new SharedRead(
    () =>
      new Promise<number>((resolve, reject) => {
        const began = ++clock;
        begun.push(began);
        running.push({ began, end: (error) => (error ? reject(error) : resolve(began)) });
      }),
  );
  return { shared, running, begun, tick: () => ++clock };
}

describe('a shared read', () => {
  test('gives each caller one that began after it called, and runs one at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('call', 'end', 'fail'), { maxLength: 40 }), async (steps) => {
        const { shared, running, begun, tick } = controlled();
        const outcomes: Promise<void>[] = [];
        for (const step of [...steps, ...Array<'end'>(40).fill('end')]) {
          if (step === 'call') {
            const calledAt = tick();
            outcomes.push(
              shared.read().then(
                (began) => expect(began).toBeGreaterThan(calledAt),
                (error) => expect(error.message).toBe('down'),
              ),
            );
          } else {
            running.shift()?.end(step === 'fail' ? new Error('down') : undefined);
          }
          await turn();
          expect(running.length).toBeLessThanOrEqual(1);
        }
        await Promise.all(outcomes);
        expect(begun.length).toBeLessThanOrEqual(outcomes.length);
      }),
      { numRuns: 100 },
    );
  });

  test('begins no sooner after another than it is told', async () => {
    let clock = 0;
    const begun: number[] = [];
    const pause = async (ms: number) => {
      clock += ms;
    };
    const spacing = { ms: 40, effects: { monotonic: () => clock, pause } };
    const shared = new SharedRead(async () => void begun.push(clock), spacing);
    await Promise.all([shared.read(), turn().then(() => shared.read())]);
    expect(begun).toEqual([0, 40]);
  });

  test('is shared by all who call during another', async () => {
    const { shared, running, begun } = controlled();
    const first = shared.read();
    await turn();
    const all = [first, ...Array.from({ length: 100 }, () => shared.read())];
    running.shift()?.end();
    await turn();
    running.shift()?.end();
    expect(new Set(await Promise.all(all)).size).toBe(2);
    expect(begun).toHaveLength(2);
  });
});
