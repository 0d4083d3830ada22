import { expect, test } from '@jest/globals';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { findDifferences } from './syncs.ts';
import { benchmarkWorkload, generatedWorkload } from './workloads.ts';

const workload = generatedWorkload(60, 4, 100);

test('a generated environment is always the same, of the size asked for, and compiles', () => {
  expect(generatedWorkload(60, 4, 100)).toEqual(workload);
  const { flags, segments } = workload.documents;
  expect([flags.length, segments.length]).toEqual([60, 4]);
  expect(segments.every(({ included, excluded }) => included.length + excluded.length === 100)).toBe(true);
  expect(compileEnvironment(flags, { segments }).invalidConditions).toEqual([]);
});

test('Flagwire and the SDK come to the same values', async () => {
  for (const { documents, users } of [workload, benchmarkWorkload()])
    expect(await findDifferences({ documents, users: users.slice(0, 60) })).toEqual([]);
});
