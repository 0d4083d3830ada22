import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { aWorker, someFacts } from '../testing/results.ts';
import { checkGates, formatGate, parseGate } from './gates.ts';
import { RunFiles } from './runFiles.ts';
import { readRun } from './runResult.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-gates-'));
afterAll(() => rmSync(directory, { recursive: true }));
const files = RunFiles.create(directory, someFacts());
writeFileSync(
  join(files.slices, '0.ndjson'),
  aWorker()
    .map((slice) => `${JSON.stringify(slice)}\n`)
    .join(''),
);
const result = readRun(files);

describe('a threshold', () => {
  test('is kept by a value at or below it', () => {
    const gates = checkGates(result, [
      { 'sync.p99': 5.005 },
      { 'sync.max': 4 },
      { 'errors.percent': 0 },
      { 'errors.count': 0 },
    ]);
    const server = { cpuRamp: 1, cpuHold: 0.8, memoryRamp: 0, memoryHold: 0 };
    expect(checkGates({ ...result, server }, [{ 'cpu.percent': 80 }])).toMatchObject([{ isKept: true }]);
    expect(gates.map(({ isKept }) => isKept)).toEqual([true, false, true, true]);
    expect(formatGate(gates[1] as never)).toBe('Not met: all data-syncs within 5 ms; the limit is 4');
  });

  test('is not kept by a value that was not measured', () => {
    const [gate] = checkGates(result, [{ 'push.p99': 1_000 }]);
    expect(gate && formatGate(gate)).toBe('Not met: push.p99 was not measured; the limit is 1,000');
  });

  test('is read as it is written', () => {
    expect(parseGate('sync.p99:200')).toEqual({ 'sync.p99': 200 });
    expect(parseGate('cpu.percent:80')).toEqual({ 'cpu.percent': 80 });
    expect(parseGate('send to reply.mean <= 2.5')).toEqual({ 'send to reply.mean': 2.5 });
    for (const text of ['sync.p98:1', 'sync', 'errors.rate:1', 'sync.p99:many'])
      expect(parseGate(text)).toBeUndefined();
  });
});
