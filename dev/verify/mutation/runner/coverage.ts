import type { CoverageData, MutantCoverage } from '@stryker-mutator/api/core';

/**
 * Which tests come to which mutants: what the `beforeAll` and `afterAll` of a block come to counts for each of its tests.
 *
 * @param coverage how often each mutant was come to, by the id of a test or of a block
 * @param testsOf the ids of a block's tests, by the id of the block
 */
export function coverageOfTests(
  coverage: MutantCoverage,
  testsOf: ReadonlyMap<string, readonly string[]>,
): MutantCoverage {
  const perTest: Record<string, CoverageData> = {};
  for (const [id, counts] of Object.entries(coverage.perTest)) {
    for (const test of testsOf.get(id) ?? [id]) {
      const sums = perTest[test] ?? {};
      perTest[test] = sums;
      for (const [mutant, count] of Object.entries(counts)) sums[mutant] = (sums[mutant] ?? 0) + count;
    }
  }
  return { static: coverage.static, perTest };
}
