import { expect, test } from '@jest/globals';
import { isOpen, nextStep, type StepOutcome } from './releasePlan.ts';

const step = (kind: 'waiting' | 'applied') => ({
  outcome: (kind === 'waiting' ? { kind } : { kind, at: 0 }) as StepOutcome,
});

test('a plan is open until it ends, and its next step is the first that waits', () => {
  expect([isOpen({ state: { kind: 'running' } }), isOpen({ state: { kind: 'done', at: 0 } })]).toEqual([true, false]);
  expect([nextStep({ steps: [step('applied'), step('waiting')] }), nextStep({ steps: [step('applied')] })]).toEqual([
    1, -1,
  ]);
});
