import { expect, test } from '@jest/globals';
import { judgeResults, WAITING } from './resultsAge.ts';

const ageOf = (commit: string) => ({ aaaaaaaa: 12, bbbbbbbb: 3 })[commit];
const waiting = Object.fromEntries(Object.keys(WAITING).map((name) => [name, { commit: 'lost', at: '2026-11-23' }]));

test('shows the age of each results file in commits', () => {
  const files = { ...waiting, idle: { commit: 'aaaaaaaa', at: '2026-11-23', machine: { cores: 2 } } };
  const { ages, problems } = judgeResults(files, ageOf);
  expect([ages.at(-1), ages[0], problems]).toEqual(['idle 12', 'comparison/full ?', []]);
});

test('accepts a file that several commits of the history measured', () => {
  const file = (commit: string) => judgeResults({ ...waiting, host: { commit, at: '1' } }, ageOf);
  expect(file('aaaaaaaa; bbbbbbbb')).toMatchObject({ ages: expect.arrayContaining(['host 12']), problems: [] });
  expect(file('aaaaaaaa; cccccccc').problems).toEqual(['host.json: the commit "cccccccc" is not in the history']);
});

test('refuses a file with a commit that is dirty or not in the history', () => {
  const nested = { stamp: { commit: 'aaaaaaaa', at: '2026-11-23' }, memory: { commit: 'bbbbbbbb with changes' } };
  const { problems } = judgeResults({ ...waiting, idle: nested, soak: { commit: 'cccccccc', at: '1' } }, ageOf);
  expect(problems).toEqual([
    'idle.json: the commit "bbbbbbbb with changes" is not in the history',
    'soak.json: the commit "cccccccc" is not in the history',
  ]);
});

test('refuses an exception that is not needed, and a file without an origin', () => {
  const measured = { ...waiting, 'comparison/full': { commit: 'aaaaaaaa', startedAt: '2026-11-23' } };
  expect(judgeResults(measured, ageOf).problems).toEqual([
    'comparison/full.json needs no exception: remove it from WAITING',
  ]);
  const missing = Object.keys(WAITING).map((name) => `${name}.json waits, but does not exist`);
  expect(judgeResults({}, ageOf).problems).toEqual(missing);
  expect(() => judgeResults({ ...waiting, idle: { at: '2026-11-23' } }, ageOf)).toThrow('name no commit');
});
