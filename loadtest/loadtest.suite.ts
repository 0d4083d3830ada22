import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '../dev/support/freePort.ts';
import { comparisonSchema } from './compare/reportSchema.ts';
import { RunFiles } from './results/runFiles.ts';
import { Workers } from './runner/workers.ts';
import { aLoadProfile, someFacts } from './testing/results.ts';

// The first run installs artillery.
jest.setTimeout(300_000);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-loadtest-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Calls `npm run loadtest`, or another of its commands, with arguments. @param during may interrupt it */
async function loadtest(
  args: readonly string[],
  during: (kill: (signal: NodeJS.Signals) => void, err: Readable) => void = () => {},
  main = 'main.ts',
) {
  const child = spawn(process.execPath, [join(import.meta.dirname, main), ...args]);
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    output.out += text;
  });
  child.stderr.on('data', (text) => {
    output.err += text;
  });
  during((signal) => child.kill(signal), child.stderr);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

const small = ['--rates', '40', '--runs', '1', '--ramp', '5', '--duration', '12', '--ping', '3'];
const resultsIn = (out: string) => JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))[0].runs;

/** A machine that is too busy makes a run invalid, or its times longer than the scenario wants, up to 10 s; it loses nothing. */
function expectMeasured(code: number | null, err: string): void {
  expect(err).not.toMatch(/PARTIAL|Not met:.*(errors|changes|the limit is 10,000)/);
  expect(code).toBe(err.includes('INVALID') ? 3 : Number(err.includes('Not met')));
}

describe('npm run loadtest, with artillery', () => {
  test('measures the host, checks its answers, and writes a report', async () => {
    const out = join(directory, 'host');
    const {
      code,
      out: said,
      err,
    } = await loadtest(['reference', ...small, '--ensure', 'sync.p99:10000', '--out', out]);
    expectMeasured(code, err);
    const [run] = resultsIn(out);
    expect(run.counts).toMatchObject({ began: 200, opened: 200, 'syncs answered': 200, left: 200 });
    expect(run.counts['messages answered']).toBe(run.counts['messages sent']);
    expect(run.times.sync.count).toBe(200);
    expect(run.server).toEqual({
      cpuRamp: expect.any(Number),
      cpuHold: expect.any(Number),
      memoryRamp: expect.any(Number),
      memoryHold: expect.any(Number),
    });
    expect(run.sixths).toHaveLength(6);
    // A run that other programs disturbed is in no table, and no baseline.
    expect(said.includes('Data-sync response time, ms')).toBe(!err.includes('INVALID'));
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    // Keys go to targets, and nowhere else.
    const campaign = readFileSync(join(out, 'campaign.json'), 'utf8');
    expect(campaign + said + err).not.toMatch(/"clientKey"|"serverKey"|token=/);
  });

  test('names a missed threshold, and exits with 1', async () => {
    const out = join(directory, 'gate');
    const args = [
      'sustained',
      '--rates',
      '20',
      '--duration',
      '4',
      '--lifetime',
      '2',
      '--ensure',
      'sync.p99:0.001',
      '--out',
      out,
    ];
    const { code, err } = await loadtest(args);
    // On a machine that is too busy the run says nothing of the server, and no threshold is held against it.
    const isInvalid = err.includes('INVALID');
    expect(code).toBe(isInvalid ? 3 : 1);
    expect(/Not met: 99 % of data-syncs within [\d.]+ ms; the limit is 0.001/.test(err)).toBe(!isInvalid);
  });

  test('keeps the measurements of an interrupted run, and marks it partial', async () => {
    const out = join(directory, 'interrupted');
    const slices = join(out, 'runs', '40-1', 'slices', '0-1.ndjson');
    const { code, err } = await loadtest(['reference', ...small, '--out', out], (kill) => {
      const timer = setInterval(() => {
        if (!existsSync(slices) || readFileSync(slices, 'utf8').split('\n').length < 4) return;
        clearInterval(timer);
        kill('SIGINT');
      }, 100);
    });
    expect(code).toBe(3);
    expect(err).toContain('PARTIAL: it was interrupted');
    const [run] = resultsIn(out);
    expect(run.partial).toBe('it was interrupted');
    expect(run.counts.opened).toBeGreaterThan(0);

    // Gone on with, and once more, when there is nothing left to do.
    const args = ['reference', ...small, '--ensure', 'sync.p99:10000', '--out', out, '--resume'];
    const other = await loadtest(args);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('was measured with ensure')]);
    const resumed = await loadtest(['reference', ...small, '--out', out, '--resume']);
    expect(resumed.err).not.toContain('PARTIAL');
    const [whole] = resultsIn(out);
    expect([whole.partial, whole.counts.opened]).toEqual([undefined, 200]);
    const again = await loadtest(['reference', ...small, '--out', out, '--resume']);
    // What a machine that is too busy made says nothing of the server, and is made again.
    const isInvalid = whole.invalid.length > 0;
    expect(again.err.includes('continuing after 1 of 1 runs')).toBe(!isInvalid);
    expect(resultsIn(out)).toEqual(isInvalid ? [expect.anything()] : [whole]);
  });

  test('flips a flag, and each client receives each change', async () => {
    const out = join(directory, 'push');
    const flips = ['--rates', '50', '--connections', '100', '--flips', '3', '--flip-every', '0.5'];
    const { code, err } = await loadtest(['push', ...flips, '--ensure', 'push.p99:10000', '--out', out]);
    expectMeasured(code, err);
    const [{ changes, times }] = resultsIn(out);
    expect(changes).toEqual({ flips: 3, clients: 100, missing: 0 });
    expect([times.push.count, times['acknowledged to event'].count]).toEqual([300, 300]);
    expect([times['acknowledged to first'].count, times['acknowledged to last'].count]).toEqual([3, 3]);
  });
});

test('compare writes a table, a page, and JSON that matches its schema', async () => {
  const out = join(directory, 'compare');
  const {
    code,
    out: said,
    err,
  } = await loadtest(['compare', '--target', 'host', '--quick', '--rates', '200', '--out', out]);
  const report = comparisonSchema.parse(JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8')));
  const isDisturbed = report.notes.some((note) => note.includes('were disturbed'));
  expect([err, code]).toEqual([expect.not.stringContaining('Error'), isDisturbed ? 3 : 0]);
  expect(report.columns.map(({ name }) => name)).toEqual(['published', 'host']);
  expect(said).toContain('No figure in these tables was measured in AWS.');
  expect(readFileSync(join(out, 'comparison.md'), 'utf8')).toMatch(/\| 200 \| P99, ms \| [\d.]+( †)? \|/);
  expect(existsSync(join(out, 'comparison.html'))).toBe(true);
  const resume = (rate: string) =>
    loadtest(['compare', '--target', 'host', '--quick', '--rates', rate, '--out', out, '--resume']);
  const other = await resume('300');
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('Choose another --out')]);
  const order = join(out, 'order.json');
  const was = readFileSync(order, 'utf8');
  writeFileSync(order, was.replace(/"machine":"[^"]+"/, '"machine":"another one"'));
  const moved = await resume('200');
  expect([moved.code, moved.err]).toEqual([2, expect.stringContaining('was measured with {"form":"short"')]);
  writeFileSync(order, was);
  mkdirSync(join(out, 'host', 'full'));
  const again = await resume('200');
  expect([again.err, [0, 3].includes(again.code)]).toEqual([expect.not.stringContaining('holds no campaign'), true]);
});

test('staged stops at the first stage that misses a threshold', async () => {
  const out = join(directory, 'staged');
  const stages = ['--rates', '5,10', '--ramp', '1', '--duration', '3', '--ping', '1', '--ensure', 'sync.p99:0'];
  const { code, err } = await loadtest(['staged', ...stages, '--out', out]);
  expect(err).toContain('stopped at stage 1 of 2: 5 new connections a second');
  expect(resultsIn(out)).toHaveLength(1);
  expect([1, 3]).toContain(code);
});

test('shows the last output of artillery if it ends before it measured anything', async () => {
  const phases = [{ duration: 1, arrivalRate: 'many' as never }];
  const files = RunFiles.create(join(directory, 'broken'), someFacts({ plan: aLoadProfile({ phases }) }));
  const settings = { urls: ['ws://127.0.0.1:9'], clientKey: 'k' };
  const workers = new Workers(files, settings, undefined);
  const waiting = workers.wait(() => undefined, new AbortController().signal);
  await expect(waiting).rejects.toThrow(/ended before it measured anything. Its last words:\n.+/);
});

describe('an impossible load test', () => {
  const key = ['--client-key', 'AAAAAAAAAAAAAAAAAAAAAAyJIrnvSv2EufAWInB85M1A'];

  test.each([
    ['an invalid target', ['--target', 'nowhere'], '--target nowhere is neither host, nor local, nor a ws://'],
    ['a URL without a key', ['--target', 'ws://127.0.0.1:1'], 'a target by URL takes --client-key'],
    ['more connections than files', ['--rates', '1000000'], 'Raise that limit, or lower --rates'],
  ])('refuses %s in one line, and exits with 2', async (_, args, why) => {
    const { code, err } = await loadtest(['reference', '--out', join(directory, 'refused'), ...args]);
    expect(code).toBe(2);
    expect(err.trim().split('\n').at(-1)).toContain(why);
  });

  test('reports an unreachable target before it sends load', async () => {
    const target = `ws://127.0.0.1:${await freePort()}`;
    const { code, err } = await loadtest(['reference', '--target', target, ...key, '--out', join(directory, 'down')]);
    expect(code).toBe(4);
    expect(err).toContain('Is the target running?');
  });

  test('does not overwrite a folder with a campaign', async () => {
    const { code, err } = await loadtest(['reference', ...small, '--out', join(directory, 'host')]);
    expect([code, err]).toEqual([2, expect.stringContaining('already holds a campaign')]);
  });
});
