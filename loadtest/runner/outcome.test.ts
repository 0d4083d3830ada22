import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compare } from '../results/comparison.ts';
import type { RunFacts } from '../results/schema.ts';
import { campaignFacts, makeCampaignFiles, makeRunsOf, workerWith } from '../testing/campaigns.ts';
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
  test.each<[string, { worker: typeof good.worker; facts?: Partial<RunFacts> }[], number, string[]]>([
    ['all good', [good, good], 0, []],
    ['a threshold that is not kept', [good, slow], 1, ['reference 10/s, run 2: FAILED: sync.p99 is 900, at most 200']],
    [
      'a late generator, whose thresholds do not count',
      [good, late],
      3,
      ['reference 10/s, run 2: INVALID: a worker was 200 ms late'],
    ],
    ['an interruption', [good, killed], 3, ['reference 10/s, run 2: PARTIAL: it was interrupted']],
    [
      'both a threshold and a generator',
      [late, slow],
      1,
      [
        'reference 10/s, run 1: INVALID: a worker was 200 ms late',
        'reference 10/s, run 2: FAILED: sync.p99 is 900, at most 200',
      ],
    ],
    ['no run at all', [], 3, []],
  ])('%s', (_, made, exitCode, lines) => {
    const runs = made.map(({ worker, facts = {} }, n) => ({ worker, facts: { number: n + 1, ...facts } }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), runs);
    const inOrder = campaign.runs.toSorted((a, b) => a.facts.number - b.facts.number);
    expect(judge(inOrder, campaign.facts.ensure)).toEqual({ exitCode, lines });
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

describe('the exit code with a baseline', () => {
  const five = (ms: number) => [0, 1, 2, 3, 4].map((n) => ms + n);

  test.each<[string, number[], boolean, number]>([
    ['worse', five(30), true, 6],
    ['worse, where nobody asked to fail', five(30), false, 0],
    ['better', five(10), true, 0],
    ['worse, and over a threshold', five(300), true, 1],
  ])('%s', (_, now, isGate, exitCode) => {
    const campaign = makeRunsOf(join(directory, 'now'), now);
    const comparison = compare(campaign, makeRunsOf(join(directory, 'before'), five(20)), isGate);
    const { lines, exitCode: code } = judge(campaign.runs, campaign.facts.ensure, comparison);
    expect(code).toBe(exitCode);
    expect(lines.some((line) => line.startsWith('WORSE: sync.p99 at 10/s from 22 to 32 ms'))).toBe(exitCode === 6);
  });
});
