import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runDirectory, writeCampaign } from '../results/campaign.ts';
import { campaignFacts, makeCampaignFiles } from '../testing/campaigns.ts';
import { aWorker } from '../testing/results.ts';
import { WrongArguments } from './outcome.ts';
import { resume } from './resume.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-resume-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('an interrupted campaign', () => {
  beforeEach(() => {
    makeCampaignFiles(directory, campaignFacts({ notes: ['a note'] }), [
      { facts: { rate: 1_000, number: 1 } },
      { facts: { rate: 1_000, number: 2, stopped: 'it was interrupted' } },
      { facts: { rate: 1_000, number: 3 }, worker: aWorker().map((slice) => ({ ...slice, lagMs: 200 })) },
    ]);
  });

  test('keeps usable runs and its facts, and deletes the other runs', () => {
    const { facts, kept } = resume(directory, campaignFacts({ startedAt: '2026-11-22T00:00:00.000Z' }));
    expect([...kept.keys()]).toEqual(['1000-1']);
    expect(facts).toEqual(
      campaignFacts({
        notes: ['a note', 'It was interrupted after 1 runs, and continued on 2026-11-22 at commit 0123456789ab.'],
      }),
    );
    expect(existsSync(runDirectory(directory, 1_000, 1))).toBe(true);
    for (const number of [2, 3]) expect(existsSync(runDirectory(directory, 1_000, number))).toBe(false);
  });

  test('names the commits and versions of all its rounds', () => {
    const of = (commit: string, node: string) => campaignFacts({ versions: { node, artillery: '2.0.34', commit } });
    const { facts } = resume(directory, of('fedcba987654', 'v24.1.0'), true);
    writeCampaign(directory, facts);
    expect(resume(directory, of('0123456789ab', 'v24.0.0'), true).facts).toEqual({
      ...campaignFacts({ notes: ['a note'] }),
      versions: { node: 'v24.0.0; v24.1.0', artillery: '2.0.34', commit: '0123456789ab; fedcba987654' },
    });
  });

  test.each([
    ['another load', { parameters: { rates: [2_000] } }, 'was measured with parameters {"rates":[1000],"runs":1}'],
    ['another target', { target: 'local' }, 'was measured with target "host", and not with "local"'],
    [
      'another machine',
      { machine: { cpu: 'B CPU', cores: 2, memoryBytes: 1 } },
      'was measured with machine {"cpu":"A CPU","cores":2}, and not with {"cpu":"B CPU","cores":2}',
    ],
  ])('is not gone on with by %s, and nothing is removed', (_, fields, why) => {
    expect(() => resume(directory, campaignFacts(fields))).toThrow(why);
    expect(existsSync(runDirectory(directory, 1_000, 2))).toBe(true);
  });
});

test('refuses a folder without a campaign', () => {
  expect(() => resume(directory, campaignFacts())).toThrow(WrongArguments);
});
