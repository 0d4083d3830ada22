import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from '../../dev/support/repositoryFiles.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import { listUnmeasured } from './marks.ts';
import { RESULTS, readResults } from './results.ts';
import { judgeResults } from './resultsAge.ts';

const git = (...args: string[]) => {
  try {
    return execFileSync('git', args, {
      cwd: repositoryRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
};
const ageOf = (commit: string) => {
  // Of a commit with changes, nobody has the code.
  const isInHistory =
    /^[0-9a-f]{7,40}$/.test(commit) && git('merge-base', '--is-ancestor', commit, 'HEAD') !== undefined;
  return isInHistory ? Number(git('rev-list', '--count', `${commit}..HEAD`)) : undefined;
};

for (const path of repositoryFiles('**/*.md')) {
  const unmeasured = listUnmeasured(readFileSync(join(repositoryRoot, path), 'utf8'));
  if (unmeasured.length > 0) console.error(`${path}: not measured yet: ${unmeasured.join(', ')}`);
}

// An unpacked archive may be inside another repository.
const isClone = git('rev-parse', '--show-cdup') === '';
const isShallow = isClone ? git('rev-parse', '--is-shallow-repository') : undefined;
if (isShallow === undefined) console.error('There is no git clone: the commits of docs/results are not checked.');
else if (isShallow === 'true') {
  console.error(
    'The clone is shallow. Fetch the whole history (fetch-depth: 0), so that the commits of docs/results are found.',
  );
  process.exitCode = 1;
} else {
  const names = globSync('**/*.json', { cwd: RESULTS })
    .map((file) => file.replace(/[.]json$/, ''))
    .toSorted();
  const { ages, problems } = judgeResults(Object.fromEntries(names.map((name) => [name, readResults(name)])), ageOf);
  console.error(`Age of docs/results in commits: ${ages.join(', ')}.`);
  for (const problem of problems) console.error(`docs/results/${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
