import { expect, test } from '@jest/globals';
import { exitCodeOf, rowOf, scoreOf, withRow } from './score.ts';

test('a mutant counts as noticed if a test failed or never ended; one that could not be tested does not count', () => {
  expect(scoreOf(['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'])).toEqual({
    mutants: 5,
    killed: 2,
    survived: 2,
    timeouts: 1,
    percent: 60,
  });
});

test('a score that is too low is told apart from none at all', () => {
  expect([exitCodeOf([90, 100]), exitCodeOf([89.9, 95]), exitCodeOf([50, undefined, 100])]).toEqual([0, 1, 2]);
});

test('the score is never rounded up', () => {
  expect(scoreOf([...new Array(8_999).fill('Killed'), ...new Array(1_001).fill('Survived')]).percent).toBe(89.9);
});

test('nothing to change is all of it noticed', () => {
  expect(scoreOf([]).percent).toBe(100);
});

const page = `# Title

| folder | score |
|---|---:|
| \`shared/flags\` | 1 |
| \`shared/store\` | 2 |

Below.
`;

test('a folder’s row is put in the place of its last one', () => {
  expect(withRow(page, '| `shared/flags` | 9 |')).toBe(page.replace('| 1 |', '| 9 |'));
});

test('the first row of a folder follows the others', () => {
  expect(withRow(page, '| `shared/new` | 9 |')).toBe(page.replace('| 2 |\n', '| 2 |\n| `shared/new` | 9 |\n'));
});

test('a row says all of a score', () => {
  const score = scoreOf(['Killed', 'Survived', 'Timeout']);
  expect(rowOf('shared/flags', score, '2026-01-02', 'abc')).toBe(
    '| `shared/flags` | 3 | 1 | 1 | 1 | 66.6 % | 2026-01-02 | `abc` |',
  );
});
