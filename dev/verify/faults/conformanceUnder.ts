import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { awsProfiles } from '../../emulator/awsProfiles.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

/** Runs the conformance suite on the emulator with an account profile. `npm test` includes the profile `default`. */
export function conformanceUnder(profile: Exclude<keyof typeof awsProfiles, 'default'>): void {
  jest.setTimeout(60_000);
  describe(`in AWS account "${profile}":`, () => {
    let stack: EmulatedStack;
    beforeAll(async () => {
      stack = await startStack(undefined, { aws: awsProfiles[profile] });
    });
    afterAll(() => stack.close());

    conformanceCases(() => stack);
  });
}
