import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shareRuns } from './sharedRun.ts';

/** Runs that end on request. Each returns the time at which it began. */
function controlled() {
  let clock = 0;
  const running: { began: number; end: (error?: Error) => void }[] = [];
  const begun: number[] = [];
  const run = shareRuns(
    () =>
      new Promise<number>((resolve, reject) => {
        const began = ++clock;
        begun.push(began);
        running.push({ began, end: (error) => (error ? reject(error) : resolve(began)) });
      }),
  );
  return { run, running, begun, tick: () => ++clock };
}

describe('a shared run', () => {
  test('gives each caller a run that began after its call, one run at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('call', 'end', 'fail'), { maxLength: 40 }), async (steps) => {
        const { run, running, begun, tick } = controlled();
        const outcomes: Promise<void>[] = [];
        for (const step of [...steps, ...Array<'end'>(40).fill('end')]) {
          if (step === 'call') {
            const calledAt = tick();
            outcomes.push(
              run().then(
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

  test('waits for its spacing after the start of the last run', async () => {
    let clock = 0;
    const begun: number[] = [];
    const pause = async (ms: number) => {
      clock += ms;
    };
    const spacing = { ms: 40, effects: { monotonic: () => clock, pause } };
    const run = shareRuns(async () => void begun.push(clock), spacing);
    await Promise.all([run(), turn().then(() => run())]);
    expect(begun).toEqual([0, 40]);
  });

  test('is shared by all who call during another run', async () => {
    const { run, running, begun } = controlled();
    const first = run();
    await turn();
    const all = [first, ...Array.from({ length: 100 }, () => run())];
    running.shift()?.end();
    await turn();
    running.shift()?.end();
    expect(new Set(await Promise.all(all)).size).toBe(2);
    expect(begun).toHaveLength(2);
  });
});
