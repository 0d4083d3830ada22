import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../../../dev/support/freePort.ts';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { type EmulatorProcess, startCachedTable } from '../../machine/emulatorProcess.ts';
import { readyPort, startServer } from '../../machine/serverProcess.ts';
import type { Measurement } from './rounds.ts';

jest.setTimeout(300_000);

let directory: string;
let table: EmulatorProcess;
let other: RunningProcess;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-beside-'));
  table = await startCachedTable();
  other = startServer(table.table, {}, { runtime: 'node' });
  url = `ws://127.0.0.1:${await readyPort(other)}`;
});
afterAll(async () => {
  await other?.stop();
  await table?.stop();
  rmSync(directory, { recursive: true });
});

const LITTLE = '--rate 50 --connections 50 --hold 1 --saturation 2,4 --saturation-seconds 1 --rounds 2'.split(' ');

/** Calls `npm run bench -- beside` with little load. */
async function beside(...args: readonly string[]) {
  const out = join(directory, 'beside.json');
  const command = ofRepository('loadtest/bench/main.ts', ['beside', ...args, ...LITTLE, '--out', out]);
  const child = new RunningProcess(command);
  const code = await child.ended;
  const found = existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : undefined;
  return { code, output: child.output, found };
}

test('measures another server and ours with the same flags in each phase of each round', async () => {
  const secrets = ['--client-secret', table.clientKey, '--server-secret', table.serverKey];
  const again = `echo ${other.pid}`;
  const { code, output, found } = await beside(url, ...secrets, '--restart', again);
  // 3 only says that this machine was too busy for a round to count.
  expect([0, 3]).toContain(code);
  expect(output).not.toContain('bench beside:');
  const phases = ['from cold', 'held', 'warm', 'saturation, 2 in flight', 'saturation, 4 in flight'];
  const order = [...phases.map((phase) => ['other', phase]), ...phases.map((phase) => ['ours', phase])];
  const measurements: readonly Measurement[] = found.visits;
  expect(measurements.filter(({ round }) => round === 1).map(({ side, phase }) => [side, phase])).toEqual(order);
  expect(measurements.filter(({ round }) => round === 2).map(({ side }) => side)).toEqual(
    order.map(([side]) => side).toReversed(),
  );
  for (const { phase, figures } of measurements) {
    expect(figures[phase === 'held' ? 'lost or no pong' : 'errors']).toBe(0);
    expect(figures['processor, % of a core']).toBeGreaterThanOrEqual(0);
    if (phase === 'held') expect([figures['held'], (figures['memory, MB'] ?? 0) > 10]).toEqual([50, true]);
    else expect(figures['handshake P50, ms']).toBeGreaterThan(0);
  }
  // Linux counts a process's time in hundredths of a second: of so little load, a whole phase can be less than one.
  for (const server of ['other', 'ours'] as const) {
    const processor = measurements
      .filter(({ side }) => side === server)
      .map(({ figures }) => figures['processor, % of a core'] ?? 0);
    expect(processor.reduce((sum, percent) => sum + percent, 0)).toBeGreaterThan(0);
  }
  expect(found.notes).toContain("Both serve the other server's 5 flags.");
  expect(output).toContain('ours to the other');
  // Secrets go to servers, and nowhere else.
  expect(output + JSON.stringify(found)).not.toContain(table.clientKey);
});

test.each([
  [
    'an unreachable server',
    async () => [`ws://127.0.0.1:${await freePort()}`, '--client-secret', 'x'.repeat(44)],
    'Is the target running',
  ],
  ['a wrong secret', async () => [url, '--client-secret', 'x'.repeat(44)], 'Check the secret'],
  ['no secret', async () => [url], 'takes the --client-secret'],
])('refuses %s in one line, and exits with 2', async (_, args, why) => {
  const { code, output } = await beside(...(await args()));
  expect([code, output]).toEqual([2, expect.stringMatching(new RegExp(`^bench beside: .*${why}`))]);
});
