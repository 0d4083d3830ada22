import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { awsProfiles } from '../../emulator/awsProfiles.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

/** The conformance suite on the emulator, which plays an account of a profile. Under `default` it is part of `npm test`. */
export function conformanceUnder(profile: Exclude<keyof typeof awsProfiles, 'default'>): void {
  jest.setTimeout(60_000);
  describe(`in AWS account "${profile}":`, () => {
    let stack: EmulatedStack;
    beforeAll(async () => {
      stack = await startStack(synthesizedTemplates(), { aws: awsProfiles[profile] });
    });
    afterAll(() => stack.close());

    conformanceCases(() => stack);
  });
}
