import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
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
<testsuite name="reference against &#34;a&#34; &#38; &#60;b&#62;" tests="3" failures="1" errors="1" timestamp="2026-11-21T00:00:00.000Z">
<testcase classname="reference" name="10/s, run 1: sync.p99 at most 200" time="20"><failure message="FAILED: sync.p99 is 900, at most 200"/></testcase>
<testcase classname="reference" name="10/s, run 1: errors.percent at most 1" time="20"></testcase>
<testcase classname="reference" name="10/s, run 2: says nothing of the server" time="20"><error message="it was &#34;interrupted&#34;"/></testcase>
</testsuite>
</testsuites>
`);
});
