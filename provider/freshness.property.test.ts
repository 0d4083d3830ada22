import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../shared/testing/runs.ts';
import { Freshness } from './freshness.ts';
import { manualClock, settle } from './testing/clock.ts';

const MAX_AGE_MS = 5_000;

/** What happens next. Reads are answered in any order, or never. */
const eventArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('evaluation' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('answer' as const), read: fc.nat(), isFailure: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1, 100, 6_000, 20_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -60_000, max: 60_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('invocation' as const) }) },
);

test('flags that are called fresh have every write of the promised age, and never go back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(eventArbitrary, { minLength: 8, maxLength: 60 }), async (events) => {
      const clock = manualClock();
      /** When each version was written: its index, by the monotonic clock. */
      const writtenAt = [0];
      const reads: ((isFailure: boolean) => void)[] = [];
      const shown: number[] = [];
      let mostReads = 0;
      /** The version that an invocation began with. */
      let ofInvocation = 0;
      const freshness = new Freshness({
        read: () =>
          new Promise((resolve, reject) => {
            // The table may have looked at its version at any time since the read was sent.
            const version = writtenAt.length - 1;
            reads.push((isFailure) =>
              isFailure ? reject(new Error('away')) : resolve(async () => void shown.push(version)),
            );
            mostReads = Math.max(mostReads, reads.length);
          }),
        maxAgeMs: MAX_AGE_MS,
        waitMs: 250,
        effects: clock,
        onFailure: () => {},
        onSuccess: () => {},
      });
      const evaluate = async () => {
        const promised = Math.max(
          ofInvocation,
          writtenAt.findLastIndex((at) => at <= clock.monotonic() - MAX_AGE_MS),
        );
        if (freshness.isFresh || (await freshness.refresh())) expect(shown.at(-1)).toBeGreaterThanOrEqual(promised);
      };
      const evaluations: Promise<void>[] = [];
      for (const event of events) {
        if (event.kind === 'evaluation') evaluations.push(evaluate());
        if (event.kind === 'write') writtenAt.push(clock.monotonic());
        if (event.kind === 'answer') reads.splice(event.read % (reads.length || 1), 1)[0]?.(event.isFailure);
        if (event.kind === 'time') await clock.pass(event.ms);
        if (event.kind === 'clock') clock.setBack(event.ms);
        if (event.kind === 'invocation') {
          freshness.expire();
          ofInvocation = writtenAt.length - 1;
        }
        await settle();
      }
      for (let n = 0; n < 4; n += 1) {
        for (const answer of reads.splice(0).reverse()) {
          answer(false);
          await settle();
        }
        await clock.pass(20_000);
      }
      await Promise.all(evaluations);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
      expect(mostReads).toBeLessThanOrEqual(2);
    }),
    { numRuns: runs(300) },
  );
});
