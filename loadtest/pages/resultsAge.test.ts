import { expect, test } from '@jest/globals';
import { judgeResults } from './resultsAge.ts';

const ageOf = (commit: string) => ({ aaaaaaaa: 12, bbbbbbbb: 3 })[commit];

test('shows the age of each results file in commits', () => {
  const idle = { commit: 'aaaaaaaa', at: '2026-11-23', machine: { cores: 2 } };
  const lost = { commit: 'cccccccc', at: '2026-11-23' };
  expect(judgeResults({ idle, lost }, ageOf).ages).toEqual(['idle 12', 'lost ?']);
});

test('accepts a file that several commits of the history measured', () => {
  const file = (commit: string) => judgeResults({ host: { commit, at: '1' } }, ageOf);
  expect(file('aaaaaaaa; bbbbbbbb')).toEqual({ ages: ['host 12'], problems: [] });
  expect(file('aaaaaaaa; cccccccc').problems).toEqual(['host.json: the commit "cccccccc" is not in the history']);
});

test('refuses a file with a commit that is dirty or not in the history', () => {
  const nested = { stamp: { commit: 'aaaaaaaa', at: '2026-11-23' }, memory: { commit: 'bbbbbbbb with changes' } };
  const { problems } = judgeResults({ idle: nested, soak: { commit: 'cccccccc', at: '1' } }, ageOf);
  expect(problems).toEqual([
    'idle.json: the commit "bbbbbbbb with changes" is not in the history',
    'soak.json: the commit "cccccccc" is not in the history',
  ]);
});

test('refuses a file without an origin', () => {
  expect(() => judgeResults({ idle: { at: '2026-11-23' } }, ageOf)).toThrow('name no commit');
});
