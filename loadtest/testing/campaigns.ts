import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Slice } from '../measure/slice.ts';
import { type Campaign, type CampaignFacts, readCampaign, runDirectory, writeCampaign } from '../results/campaign.ts';
import { RunFiles, type Usage } from '../results/runFiles.ts';
import type { RunFacts } from '../results/schema.ts';
import { aWorker, someFacts } from './results.ts';

/** Facts of a campaign for tests. */
export function campaignFacts(fields: Partial<CampaignFacts> = {}): CampaignFacts {
  return {
    scenario: 'reference',
    target: 'host',
    startedAt: '2026-11-21T00:00:00.000Z',
    parameters: { rates: [1_000], runs: 1 },
    ensure: [{ 'sync.p99': 200 }, { 'errors.percent': 1 }],
    machine: { cpu: 'A CPU', cores: 2, memoryBytes: 1024 ** 3 },
    versions: { node: 'v24.0.0', artillery: '2.0.34', commit: '0123456789ab' },
    notes: [],
    ...fields,
  };
}

/** A run to put into a campaign. */
interface SomeRun {
  readonly facts: Partial<RunFacts>;
  readonly worker?: readonly Slice[];
  /** What the server uses each second. */
  readonly usage?: Omit<Usage, 'at'>;
}

/** Writes a campaign as the runner does, and reads it. */
export function makeCampaignFiles(directory: string, facts: CampaignFacts, runs: readonly SomeRun[]): Campaign {
  mkdirSync(directory, { recursive: true });
  writeCampaign(directory, facts);
  for (const run of runs) {
    const whole = someFacts({ scenario: facts.scenario, ...run.facts });
    const files = RunFiles.create(runDirectory(directory, whole.rate, whole.number), whole);
    const lines = (run.worker ?? aWorker()).map((slice) => `${JSON.stringify(slice)}\n`);
    writeFileSync(join(files.slices, '0.ndjson'), lines.join(''));
    if (run.usage) for (let n = 0; n < 20; n++) files.addUsage({ at: 100 + n, ...run.usage });
  }
  return readCampaign(directory);
}

/** A campaign with a run for each of these times of data-syncs in milliseconds, at a rate of 10 a second. */
export function makeRunsOf(directory: string, syncMs: readonly number[], facts: Partial<CampaignFacts> = {}): Campaign {
  const runs = syncMs.map((ms, n) => ({ facts: { number: n + 1 }, worker: workerWith(ms) }));
  return makeCampaignFiles(directory, campaignFacts(facts), runs);
}

/** A worker whose data-syncs take so long. */
export function workerWith(syncMs: number): Slice[] {
  return aWorker().map((slice) =>
    'sync' in slice.times ? { ...slice, times: { sync: [[syncMs * 1_000, 10]] } } : slice,
  );
}
