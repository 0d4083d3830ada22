import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { RunFiles } from '../results/runFiles.ts';
import { readRun } from '../results/runResult.ts';
import { someFacts } from '../testing/results.ts';
import { fargateArguments, takeOutput } from './fargate.ts';

const fleet = { count: 4, region: 'eu-west-1', cpu: 4, memory: 8, spot: false };

describe('the command for Fargate', () => {
  test('raises the file limit of tasks, which is 8,192 otherwise', () => {
    expect(fargateArguments('script.json', 'out.json', 100_000, fleet)).toEqual([
      'run-fargate',
      'script.json',
      '--region',
      'eu-west-1',
      '--count',
      '4',
      '--cpu',
      '4',
      '--memory',
      '8',
      '--launch-config',
      '{"ulimits":[{"name":"nofile","softLimit":65535,"hardLimit":65535}]}',
      '--output',
      'out.json',
    ]);
  });

  test('has subnets, security groups and spot capacity where they are asked for', () => {
    const placed = { ...fleet, spot: true, subnets: 'subnet-1,subnet-2', securityGroups: 'sg-1' };
    expect(fargateArguments('s', 'o', 1, placed).join(' ')).toContain(
      '--subnet-ids subnet-1,subnet-2 --security-group-ids sg-1 --spot',
    );
  });

  test('is refused for more connections than tasks may open files', () => {
    expect(() => fargateArguments('s', 'o', 1_000_000, fleet)).toThrow('which may open 65535 files. Use --fargate 16');
  });
});

test('artillery’s output of many workers becomes a run like any other', () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-fargate-'));
  try {
    const files = RunFiles.create(directory, someFacts({ workers: 4 }));
    const output = join(directory, 'artillery.json');
    const period = (at: number, counters: Record<string, number>) => ({
      period: String(at * 1_000),
      counters: { 'vusers.created': 40, ...counters },
      summaries: { 'flagwire.lagMs': { max: 4, mean: 2 }, 'flagwire.cpu': { max: 0.3, mean: 0.2 } },
    });
    const intermediate = [
      period(100, {
        'flagwire.count.began': 400,
        'flagwire.count.syncs answered': 390,
        'flagwire.time.sync.12000': 390,
      }),
      period(110, { 'flagwire.count.syncs answered': 10, 'flagwire.time.sync.250000': 10 }),
    ];
    writeFileSync(output, JSON.stringify({ aggregate: {}, intermediate }));
    takeOutput(files, output);
    const { counts, times, generator } = readRun(files);
    expect(counts).toEqual({ began: 400, 'syncs answered': 400 });
    expect(times['sync']).toMatchObject({ count: 400, p50: expect.closeTo(12, 1), p99: expect.closeTo(250, 0) });
    expect(generator.lagMs).toBe(4);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
