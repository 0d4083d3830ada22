import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { awsProfiles } from '../../emulator/awsProfiles.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

jest.setTimeout(60_000);

describe('in AWS account "new-account":', () => {
  let stack: EmulatedStack;
  beforeAll(async () => {
    stack = await startStack(undefined, { aws: awsProfiles['new-account'] });
  });
  afterAll(() => stack.close());

  conformanceCases(() => stack);
});
