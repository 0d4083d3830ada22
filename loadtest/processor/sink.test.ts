import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Slice } from '../measure/slice.ts';
import { CounterSink, slicesOfOutput } from './sink.ts';

const counters = fc.dictionary(
  fc.constantFrom('began', 'errors', 'change 17', 'error: a.b c'),
  fc.integer({ min: 1, max: 99 }),
);
const times = fc.dictionary(
  fc.constantFrom('sync', 'send to reply'),
  fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
);
const slice: fc.Arbitrary<Slice> = fc.record({
  at: fc.constant(7),
  open: fc.nat(9),
  counters,
  times,
  cpu: fc.constant(0.5),
  lagMs: fc.constant(3),
});

/** Adds up as artillery does, over all who emit. */
class AddingUp {
  readonly counters: Record<string, number> = {};
  readonly summaries: Record<string, { max: number; mean: number }> = {};
  on() {}
  emit(event: string, name: string, value: number) {
    if (event === 'counter') this.counters[name] = (this.counters[name] ?? 0) + value;
    else this.summaries[name] = { max: Math.max(value, this.summaries[name]?.max ?? value), mean: value };
  }
  output() {
    return slicesOfOutput({ intermediate: [{ period: '7000', counters: this.counters, summaries: this.summaries }] });
  }
}

const timeCounts = (slices: readonly Slice[]) => {
  const counts: Record<string, number> = {};
  for (const each of slices)
    for (const [name, pairs] of Object.entries(each.times))
      for (const [us, count] of pairs) counts[`${name} ${us}`] = (counts[`${name} ${us}`] ?? 0) + count;
  return counts;
};
const sums = (slices: readonly Slice[]) => {
  const counts: Record<string, number> = {};
  for (const each of slices)
    for (const [name, count] of Object.entries(each.counters)) counts[name] = (counts[name] ?? 0) + count;
  return counts;
};

test('merges measurements of several workers through artillery’s counters without loss', () => {
  fc.assert(
    fc.property(fc.array(fc.array(slice), { minLength: 1, maxLength: 4 }), (workers) => {
      const artillery = new AddingUp();
      for (const slices of workers) {
        const sink = new CounterSink();
        // Some is measured before artillery hands over its emitter.
        for (const each of slices.slice(0, 1)) sink.take(each);
        sink.use(artillery);
        for (const each of slices.slice(1)) sink.take(each);
      }
      const all = workers.flat();
      expect(timeCounts(artillery.output())).toEqual(timeCounts(all));
      expect(sums(artillery.output())).toEqual(sums(all));
    }),
  );
});

test('health comes out as the worst of any worker', () => {
  const artillery = new AddingUp();
  for (const cpu of [0.3, 0.9, 0.5]) {
    const sink = new CounterSink();
    sink.use(artillery);
    sink.take({ at: 7, open: 1, counters: {}, times: {}, cpu, lagMs: 1 });
  }
  expect(artillery.output()).toMatchObject([{ at: 7, cpu: 0.9, lagMs: 1 }]);
});
