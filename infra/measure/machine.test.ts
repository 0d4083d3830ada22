import { expect, test } from '@jest/globals';
import { describeCommit, describeMachine } from './machine.ts';

test('the machine and the commit are named', () => {
  expect(describeMachine()).toEqual({
    cpu: expect.any(String),
    cores: expect.any(Number),
    memoryBytes: expect.any(Number),
  });
  expect(describeCommit('docs')).toMatch(/^([0-9a-f]{12,}( with changes)?|unknown)$/);
});
