import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunResult } from '../results/runResult.ts';
import { makeRunsOf } from '../testing/campaigns.ts';
import { describeRun } from './progress.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-described-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('describes a run whose connections request several data-syncs', () => {
  const [run] = makeRunsOf(directory, [20]).runs as [RunResult];
  const counts = { began: 100, 'syncs sent': 212, 'syncs answered': 210, errors: 2 };
  const text = describeRun({ ...run, counts, errorPercent: 2, partial: 'it was interrupted' });
  expect(text).toBe(
    'reference 10/s, run 1 · 100 of 100 connections · 210 of 212 data-syncs answered · ' +
      'mean 20 ms, P95 20 ms, P99 20 ms · errors 2 % · PARTIAL: it was interrupted',
  );
});
