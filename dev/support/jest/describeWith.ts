import { describe } from '@jest/globals';
import { type Requirement, whyMissing } from '../requirement.ts';
import { noteSkipped } from '../testRun.ts';

/** Groups test cases under a name, as `describe` does. */
export type DescribeCases = (name: string, cases: () => void) => void;

/**
 * `describe` for tests that need something besides Node. If it is missing, the tests are skipped, and the end of the run says why.
 *
 * @throws Error that names what is missing, if `CI` is set
 */
export async function describeWith(...requirements: readonly Requirement[]): Promise<DescribeCases> {
  for (const requirement of requirements) {
    const reason = await whyMissing(requirement);
    if (reason === undefined) continue;
    return (name, cases) => {
      noteSkipped('test group', reason);
      describe.skip(name, cases);
    };
  }
  return describe;
}
