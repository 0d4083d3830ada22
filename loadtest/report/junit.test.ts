import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { compare } from '../results/comparison.ts';
import { campaignFacts, makeCampaignFiles, makeRunsOf, workerWith } from '../testing/campaigns.ts';
import { renderJunit } from './junit.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-junit-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('JUnit has a case for each threshold of a run, and an error for a run that says nothing', () => {
  const campaign = makeCampaignFiles(directory, campaignFacts({ target: '"a" & <b>' }), [
    { facts: { number: 1 }, worker: workerWith(900) },
    { facts: { number: 2, stopped: 'it was "interrupted"' }, worker: workerWith(900) },
  ]);
  expect(renderJunit([campaign])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="reference against &#34;a&#34; &#38; &#60;b&#62;" tests="3" failures="1" errors="1" skipped="0" timestamp="2026-11-21T00:00:00.000Z">
<testcase classname="reference" name="10/s, run 1: sync.p99 at most 200" time="20"><failure message="FAILED: sync.p99 is 900, at most 200"/></testcase>
<testcase classname="reference" name="10/s, run 1: errors.percent at most 1" time="20"></testcase>
<testcase classname="reference" name="10/s, run 2: discarded" time="20"><error message="it was &#34;interrupted&#34;"/></testcase>
</testsuite>
</testsuites>
`);
});

test('a figure compared with the baseline’s is a case, which fails where that was asked for, and is skipped where runs do not tell', () => {
  const before = makeRunsOf(join(directory, 'before'), [20, 21, 22, 23, 24]);
  const now = makeRunsOf(join(directory, 'now'), [30, 31, 32, 33, 34]);
  const few = makeRunsOf(join(directory, 'few'), [30]);
  const listCases = (campaign: typeof now, isGate: boolean) =>
    renderJunit([{ ...campaign, comparison: compare(campaign, before, isGate) }]).match(/<testcase.*baseline.*/g);
  const named = (name: string) =>
    `<testcase classname="reference" name="10/s: ${name} compared with the baseline" time="0">`;
  expect(listCases(now, true)).toEqual([
    `${named('sync.p50')}<failure message="WORSE: sync.p50 at 10/s from 22 to 32 ms, by +7.01 to +13"/></testcase>`,
    `${named('sync.p99')}<failure message="WORSE: sync.p99 at 10/s from 22 to 32 ms, by +7.01 to +13"/></testcase>`,
    `${named('errors')}</testcase>`,
  ]);
  expect(listCases(now, false)).toEqual(['sync.p50', 'sync.p99', 'errors'].map((name) => `${named(name)}</testcase>`));
  expect(listCases(few, true)?.[0]).toContain(
    '<skipped message="too few runs: it takes 4 good ones of each: sync.p50 at',
  );
});
