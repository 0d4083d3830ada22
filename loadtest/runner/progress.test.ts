import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runDirectory } from '../results/campaign.ts';
import { LiveRun } from '../results/liveRun.ts';
import { RunFiles } from '../results/runFiles.ts';
import type { RunResult } from '../results/runResult.ts';
import { makeRunsOf } from '../testing/campaigns.ts';
import { describeRun, Progress } from './progress.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-described-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('cuts progress to the columns of the terminal, and writes it in place', () => {
  const [run] = makeRunsOf(directory, [20]).runs as [RunResult];
  const written: string[] = [];
  const stream = { isTTY: true, columns: 40, write: (text: string) => written.push(text) > 0 };
  const progress = new Progress(stream as unknown as NodeJS.WriteStream);
  const live = new LiveRun(new RunFiles(runDirectory(directory, run.facts.rate, run.facts.number)));
  progress.show(run.facts, live);
  expect(written).toEqual([expect.stringMatching(/Kreference 10\/s, run 1 · .{14}…$/)]);
  expect(written[0]?.slice(0, 4)).toBe('\r\u001b[K');
  stream.columns = 400;
  progress.show(run.facts, live);
  expect(written[1]).toMatch(/ · 0 errors$/);
});

test('describes a run whose connections request several data-syncs', () => {
  const [run] = makeRunsOf(directory, [20]).runs as [RunResult];
  const counts = { began: 100, 'syncs sent': 212, 'syncs answered': 210, errors: 2 };
  const text = describeRun({ ...run, counts, errorPercent: 2, partial: 'it was interrupted' });
  expect(text).toBe(
    'reference 10/s, run 1 · 100 of 100 connections · 210 of 212 data-syncs answered · ' +
      'mean 20 ms, P95 20 ms, P99 20 ms · errors 2 % · PARTIAL: it was interrupted',
  );
});
