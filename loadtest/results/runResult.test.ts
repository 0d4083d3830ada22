import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aSlice, aWorker, someFacts } from '../testing/results.ts';
import { RunFiles } from './runFiles.ts';
import { readRun } from './runResult.ts';
import type { RunFacts } from './schema.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-run-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function runOf(workers: readonly (readonly object[])[], facts: Partial<RunFacts> = {}): RunFiles {
  const files = RunFiles.create(directory, someFacts(facts));
  workers.forEach((slices, n) => {
    writeFileSync(join(files.slices, `${n}.ndjson`), slices.map((slice) => `${JSON.stringify(slice)}\n`).join(''));
  });
  return files;
}

describe('a run', () => {
  test('merges the seconds of its workers', () => {
    const result = readRun(runOf([aWorker(), aWorker()]));
    expect(result.counts).toEqual({ began: 200, 'syncs answered': 200 });
    expect(result.times['sync']).toMatchObject({ count: 200, p50: expect.closeTo(5, 1) });
    expect(result.seconds).toHaveLength(20);
    expect(result.seconds[4]).toMatchObject({ at: 104, open: 100, began: 20, syncP99: expect.closeTo(5, 1) });
    expect([result.partial, result.errorPercent]).toEqual([undefined, 0]);
  });

  test('has the server’s peaks during the ramp and after it', () => {
    const files = runOf([aWorker()]);
    for (let n = 0; n < 20; n++) files.addUsage({ at: 100 + n, cpu: n < 10 ? n / 10 : 0.1, memory: 1_000 + n });
    expect(readRun(files).server).toEqual({
      cpuRamp: 0.9,
      cpuHold: 0.1,
      memoryRamp: 1_010,
      memoryHold: 1_019,
    });
  });

  test('has the times and the memory of each sixth', () => {
    const slow = [[9_000, 1] as const];
    const worker = [...aWorker().slice(0, 5), aSlice({ at: 119, open: 100, times: { sync: slow } })];
    const files = runOf([worker], { plan: { ...someFacts().plan, durationS: 24 } });
    for (let n = 0; n < 20; n++) files.addUsage({ at: 100 + n, cpu: 0.1, memory: 1_000 + n });
    expect(readRun(files).sixths).toEqual([
      { syncP99: expect.closeTo(5, 1), memory: 1_001.5 },
      { syncP99: expect.closeTo(5, 1), memory: 1_005.5 },
      { syncP99: Number.NaN, memory: 1_009.5 },
      { syncP99: Number.NaN, memory: 1_013.5 },
      { syncP99: expect.closeTo(9, 1), memory: 1_017.5 },
      { syncP99: Number.NaN, memory: Number.NaN },
    ]);
  });

  test('is partial if it was killed, and keeps all complete seconds', () => {
    const { endedAt: _, ...running } = someFacts();
    const files = runOf([aWorker().slice(0, 5)]);
    files.facts = running;
    appendFileSync(join(files.slices, '0.ndjson'), '{"at":105,"open":');
    files.addUsage({ at: 101, cpu: 0.5, memory: 1 });
    appendFileSync(join(directory, 'server.ndjson'), '{"at":1');
    const result = readRun(files);
    expect(result.partial).toBe('it was killed');
    expect(result.counts['syncs answered']).toBe(50);
    expect(result.server?.cpuRamp).toBe(0.5);
  });

  test('names the reason if it was stopped', () => {
    expect(readRun(runOf([aWorker()], { stopped: 'it was interrupted' })).partial).toBe('it was interrupted');
  });

  test('has errors but no times without a connection', () => {
    const slices = [aSlice({ counters: { began: 4, errors: 4, 'error: no handshake': 4, 'reason: 403': 3 } })];
    const result = readRun(runOf([slices]));
    expect(result.errorPercent).toBe(100);
    expect(result.reasons).toEqual([
      ['no handshake', 4],
      ['403', 3],
    ]);
    expect(result.times).toEqual({});
  });

  test('counts missing changes, and measures times from the acknowledged write', () => {
    const first = { 'change 111000': [[2_000, 1] as const, [25_000, 99] as const] };
    const second = { 'change 112000': [[105_000, 97] as const] };
    const worker = [...aWorker(), aSlice({ at: 120, open: 100, times: { ...first, ...second } })];
    const files = runOf([worker]);
    for (const version of [111_000, 112_000]) files.addFlip({ version, beganAt: version, acknowledgedAt: version + 5 });
    const { changes, times } = readRun(files);
    expect(changes).toEqual({ flips: 2, clients: 100, missing: 3 });
    const near = (ms: number) => expect.closeTo(ms, 0);
    // One client had it before its writer was told.
    expect(times['acknowledged to event']).toMatchObject({ count: 197, min: 0, p50: near(20), max: near(100) });
    expect(times['acknowledged to first']).toMatchObject({ count: 2, min: 0, max: near(100) });
    expect(times['acknowledged to last']).toMatchObject({ count: 2, min: near(20), max: near(100) });
    expect(Object.keys(times)).not.toContain('change 111000');
  });
});
