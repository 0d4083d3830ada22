import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runSuite, type SuiteResult } from './runSuite.ts';
import { MUTATIONS, UNCHANGED } from './testing/mutations.ts';

jest.setTimeout(180_000);

const cases = [...new Set(Object.values(MUTATIONS).map(({ noticedBy }) => noticedBy))];

describe('the local gateway runs from the template that is deployed: the suite notices when it lacks', () => {
  let result: SuiteResult;
  beforeAll(async () => {
    const noticed = Object.entries(MUTATIONS).map(([name, { noticedBy }]) => fullName(name, noticedBy));
    const only = [...noticed, ...cases.map((name) => fullName(UNCHANGED, name))].map(escaped).join('|');
    const environment = { POWERTOOLS_LOG_LEVEL: 'SILENT' };
    result = await runSuite('dev/verify/conformance/testing/mutatedStacks.ts', environment, only);
  });

  test.each(Object.entries(MUTATIONS))('%s', (name, { noticedBy }) => {
    const failed = result.failed.filter((failure) => failure.name.startsWith(fullName(name, noticedBy)));
    expect(failed).toHaveLength(1);
  });

  test('nothing: then the same cases pass', () => {
    expect(result.failed.filter(({ name }) => name.startsWith(fullName(UNCHANGED, '')))).toEqual([]);
    expect(result.passed).toBe(cases.length);
  });
});

function fullName(mutation: string, name: string): string {
  return `without ${mutation}: ${name}`;
}

function escaped(name: string): string {
  return name.replace(/[{}"$.]/g, '\\$&');
}
