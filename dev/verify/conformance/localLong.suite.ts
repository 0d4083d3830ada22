import { afterAll, beforeAll, jest } from '@jest/globals';
import { longCases } from './cases/all.ts';
import { type EmulatedStack, startStack } from './emulated.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

longCases(() => stack);
