import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { rustSdkCases } from './cases/rustSdk.ts';
import { type EmulatedHost, type EmulatedStack, startHost, startStack } from './emulated.ts';

/** A machine that has built nothing in Rust yet builds the SDK first, with some 200 libraries. */
jest.setTimeout(600_000);

describe('on the gateway', () => {
  let stack: EmulatedStack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  rustSdkCases(() => stack);
});

describe('on a host', () => {
  let host: EmulatedHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  rustSdkCases(() => host);
});
