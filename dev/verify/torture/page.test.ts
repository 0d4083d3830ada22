import { describe, expect, test } from '@jest/globals';
import { type Report, renderPage } from './page.ts';

const report: Report = {
  command: 'npm run torture',
  cpu: 'Some CPU',
  cores: 2,
  memoryGiB: 24,
  versions: { node: 'v24.1.0' },
  commit: 'abc1234',
  at: '2026-01-02T03:04:05.678Z',
  results: [
    {
      part: 'fuzz',
      target: 'host',
      seed: 7,
      seconds: 61.4,
      counts: { inputs: 200_000, resident: Number.NaN },
      problems: 0,
      examples: [],
    },
    {
      part: 'fuzz',
      target: 'gateway',
      seed: 7,
      seconds: 1,
      counts: { inputs: 5 },
      problems: 2,
      examples: ['it `fell`\nover'],
    },
  ],
};

describe('the page', () => {
  const page = renderPage(report);

  test('says where, of what and how it was made', () => {
    expect(page).toContain('`npm run torture` on 2026-01-02, commit `abc1234`, node 24.1.0, 2 cores of Some CPU,');
  });

  test('has a column for each target, and says what could not be measured', () => {
    expect(page).toContain('|  | host | gateway |');
    expect(page).toContain('| inputs | 200,000 | 5 |');
    expect(page).toContain('| resident | not measured |  |');
    expect(page).toContain('| seed | 7 | 7 |');
  });

  test('tells of problems, and only where there are any that nothing was found', () => {
    expect(page).toContain('**2 problems were found.**');
    expect(page).toContain('- `it fell over`');
    const good = renderPage({ ...report, results: report.results.slice(0, 1) });
    expect(good).toContain('**Nothing was found.**');
    expect(good).not.toContain('The first of the problems');
  });
});
