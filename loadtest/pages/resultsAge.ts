import { COMMITS } from '../runner/resume.ts';
import { originOf, valuesOf } from './results.ts';

/** What the history says about a commit: how many commits are newer. Undefined if the history does not contain it. */
export type AgeOf = (commit: string) => number | undefined;

/**
 * Checks that the code of each results file is in the history.
 *
 * @param files their contents by name
 * @returns the age of each file, and what is wrong
 */
export function judgeResults(files: Readonly<Record<string, unknown>>, ageOf: AgeOf) {
  const problems = Object.entries(files).flatMap(([name, results]) => {
    const commits = valuesOf(results, ['commit']).flatMap((each) => each.split(COMMITS));
    const wrong = commits.filter((commit) => ageOf(commit) === undefined);
    return wrong.map((commit) => `${name}.json: the commit "${commit}" is not in the history`);
  });
  const first = (results: unknown) => originOf(results).commit.split(COMMITS)[0] ?? '';
  const ages = Object.entries(files).map(([name, results]) => `${name} ${ageOf(first(results)) ?? '?'}`);
  return { ages, problems };
}
