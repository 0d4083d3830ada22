import { expect, test } from '@jest/globals';
import { createSlots } from './slots.ts';

test('as many as there are places work at once, the others in the order of their coming, failures or not', async () => {
  const slots = createSlots(2);
  const began: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const results = gates.map(({ promise }, index) =>
    slots(async () => {
      began.push(index);
      await promise;
      return index;
    }),
  );
  const open = async (index: number) => {
    gates[index]?.resolve();
    await results[index];
  };
  expect(began).toEqual([0, 1]);
  await open(1);
  expect(began).toEqual([0, 1, 2]);
  gates[0]?.reject(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  expect(began).toEqual([0, 1, 2, 3]);
  await open(2);
  await open(3);
  await open(4);
  expect(await slots(async () => 'free again')).toBe('free again');
});

test('each caller waits in a line of its own, and lines take turns', async () => {
  const slots = createSlots(1);
  const began: string[] = [];
  const work = (name: string) => async () => {
    began.push(name);
  };
  const gate = Promise.withResolvers<void>();
  const all = [slots(() => gate.promise, 'loud')];
  for (const name of ['l1', 'l2', 'l3', 'l4']) all.push(slots(work(name), 'loud'));
  all.push(slots(work('a1'), 'a'), slots(work('b1'), 'b'), slots(work('a2'), 'a'));
  gate.resolve();
  await Promise.all(all);
  expect(began).toEqual(['l1', 'a1', 'b1', 'l2', 'a2', 'l3', 'l4']);
});
