import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunFacts } from '../results/schema.ts';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { findExitCode, judge, nextStep, WrongArguments } from './outcome.ts';
import { NotReady } from './preflight.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-outcome-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const good = { worker: workerWith(10) };
const slow = { worker: workerWith(900) };
const late = { worker: workerWith(900).map((slice) => ({ ...slice, lagMs: 200 })) };
const killed = { ...slow, facts: { stopped: 'it was interrupted' } };

test('names the next step for discarded runs', () => {
  const { runs } = makeCampaignFiles(directory, campaignFacts(), [
    { ...good, facts: { number: 1 } },
    { ...late, facts: { number: 2 } },
  ]);
  expect(nextStep(runs, 'out')).toMatch(/ repeat the command with --out out --resume\. .* the discarded run only\.$/);
  expect(nextStep(runs.slice(0, 1), 'out')).toBeUndefined();
});

describe('the exit code of runs', () => {
  test.each<[string, { worker: typeof good.worker; facts?: Partial<RunFacts> }[], number]>([
    ['all good', [good, good], 0],
    ['a threshold that is not kept', [good, slow], 1],
    ['a late generator, whose thresholds do not count', [good, late], 3],
    ['an interruption', [good, killed], 3],
    ['both a threshold and a generator', [late, slow], 1],
    ['no run at all', [], 3],
  ])('%s', (_, made, exitCode) => {
    const runs = made.map(({ worker, facts = {} }, n) => ({ worker, facts: { number: n + 1, ...facts } }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), runs);
    expect(judge(campaign.runs, campaign.facts.ensure)).toBe(exitCode);
  });
});

test.each([
  [new WrongArguments('no such target'), 2],
  [new NotReady('nothing listens there'), 4],
  [new Error('npm could not install artillery'), 5],
  [new TypeError('undefined is not a function'), 5],
])('%s ends with %i', (error, code) => {
  expect(findExitCode(error)).toBe(code);
});
