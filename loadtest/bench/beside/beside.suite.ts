import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../../../dev/support/freePort.ts';
import { type EmulatorProcess, startCachedTable } from '../../machine/emulatorProcess.ts';
import type { Pinned } from '../../machine/pinned.ts';
import { readyPort, startServer } from '../../machine/serverProcess.ts';
import type { Beside } from './report.ts';

jest.setTimeout(300_000);

let directory: string;
let table: EmulatorProcess;
let other: Pinned;
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

/** Calls `npm run bench:beside` with little load. */
async function beside(...args: readonly string[]) {
  const out = join(directory, 'out');
  const little = [
    '--rate',
    '50',
    '--connections',
    '50',
    '--hold',
    '1',
    '--saturation',
    '2,4',
    '--saturation-seconds',
    '1',
  ];
  const main = join(import.meta.dirname, 'main.ts');
  const {
    code = 0,
    stdout,
    stderr,
  } = await promisify(execFile)(process.execPath, [...[main, ...args, ...little, '--rounds', '2', '--out', out]]).catch(
    (error) => error,
  );
  const path = join(out, 'beside.json');
  const found: Beside | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return { code, stdout, stderr, found };
}

test('another server, here the host on Node, is measured beside ours, with its own flags, in every phase of every round', async () => {
  const secrets = ['--client-secret', table.clientKey, '--server-secret', table.serverKey];
  const again = `echo ${other.pid}`;
  const { code, stdout, stderr, found } = await beside(url, ...secrets, '--restart', again);
  // 1 only says that this machine was too busy for a round to count.
  expect([0, 1]).toContain(code);
  expect(stderr).not.toContain('bench:beside:');
  const phases = ['from cold', 'held', 'warm', 'saturation, 2 in flight', 'saturation, 4 in flight'];
  const order = [...phases.map((phase) => ['other', phase]), ...phases.map((phase) => ['ours', phase])];
  const visits = found?.visits ?? [];
  expect(visits.filter(({ round }) => round === 1).map(({ side, phase }) => [side, phase])).toEqual(order);
  expect(visits.filter(({ round }) => round === 2).map(({ side }) => side)).toEqual(
    order.map(([side]) => side).toReversed(),
  );
  for (const { phase, figures } of visits) {
    expect(figures[phase === 'held' ? 'lost or no pong' : 'errors']).toBe(0);
    expect(figures['processor, % of a core']).toBeGreaterThanOrEqual(0);
    if (phase === 'held') expect([figures['held'], (figures['memory, MB'] ?? 0) > 10]).toEqual([50, true]);
    else expect(figures['handshake P50, ms']).toBeGreaterThan(0);
  }
  // Linux counts a process's time in hundredths of a second: of so little load, a whole phase can be less than one.
  for (const server of ['other', 'ours'] as const) {
    const processor = visits
      .filter(({ side }) => side === server)
      .map(({ figures }) => figures['processor, % of a core'] ?? 0);
    expect(processor.reduce((sum, percent) => sum + percent, 0)).toBeGreaterThan(0);
  }
  expect(found?.notes).toContain("Both serve the other server's 5 flags.");
  expect(stdout).toContain('ours to the other');
  // Secrets go to servers, and nowhere else.
  expect(stdout + stderr + JSON.stringify(found)).not.toContain(table.clientKey);
});

test.each([
  [
    'a server that is not there',
    async () => [`ws://127.0.0.1:${await freePort()}`, '--client-secret', 'x'.repeat(44)],
    'Nothing listens',
  ],
  ['a secret that it does not take', async () => [url, '--client-secret', 'x'.repeat(44)], 'check the secret'],
  ['no secret', async () => [url], 'takes the --client-secret'],
])('%s is said in one line, with 2', async (_, args, why) => {
  const { code, stderr } = await beside(...(await args()));
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^bench:beside: .*${why}`))]);
});
