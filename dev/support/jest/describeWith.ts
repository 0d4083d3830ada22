import { describe } from '@jest/globals';
import { type Requirement, whyMissing } from '../requirement.ts';
import { markSkipped } from './skippedReporter.ts';

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
    if (reason !== undefined) return (name, cases) => describe.skip(markSkipped(name, reason), cases);
  }
  return describe;
}
