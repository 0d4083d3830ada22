import { expect, test } from '@jest/globals';
import { nextTrace } from './recursion.ts';

test('begins a chain of its own without messages, and for each message without a header', () => {
  const first = nextTrace('Fn');
  expect(first).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Sampled=0;Lineage=Fn:1$/);
  expect(nextTrace('Fn', [undefined])).not.toBe(first);
});

test('counts the calls of each function in the chain, under one root', () => {
  const first = nextTrace('Publish');
  const second = nextTrace('Deliver', [first]);
  expect(second).toBe(first?.replace('Publish:1', 'Publish:1|Deliver:1'));
  expect(nextTrace('Deliver', [second])).toMatch(/Lineage=Publish:1\|Deliver:2$/);
});

test('ends a chain that has called the function sixteen times, and no other', () => {
  let trace: string | undefined;
  for (let call = 1; call <= 16; call++) trace = nextTrace('Fn', [trace]);
  expect(trace).toMatch(/Lineage=Fn:16$/);
  expect(nextTrace('Fn', [nextTrace('Fn'), trace])).toBeUndefined();
  expect(nextTrace('Other', [trace])).toMatch(/Lineage=Fn:16\|Other:1$/);
});
