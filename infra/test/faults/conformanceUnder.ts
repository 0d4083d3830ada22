import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { awsProfiles } from '../../emulator/awsProfiles.ts';
import { shortCases } from '../conformance/cases/all.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

/**
 * The conformance suite on the emulator, which plays an account of a profile. Bursts of changes are left out: clients that
 * come in the midst of one need more executions than a new account has.
 */
export function conformanceUnder(profile: keyof typeof awsProfiles): void {
  jest.setTimeout(60_000);
  describe(`in AWS account "${profile}":`, () => {
    let stack: EmulatedStack;
    beforeAll(async () => {
      stack = await startStack(synthesizeTemplates(), { aws: awsProfiles[profile] });
    });
    afterAll(() => stack.close());

    shortCases(() => stack);
  });
}
