import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { FIGURE_NAMES } from './figures.ts';
import type { Entry } from './peer.ts';
import { PEERS } from './peers.ts';

jest.setTimeout(300_000);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-peers-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function peers(environment: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const options = ['--entries', join(directory, 'peers'), '--out', join(directory, 'peers.json')];
  const child = new RunningProcess(ofRepository('loadtest/bench/main.ts', ['peers', ...args, ...options]), {
    environment: { ...process.env, ...environment },
  });
  const code = await child.ended;
  return { code, output: child.output };
}

test('measures all figures of each installed server, and writes its file', async () => {
  const { code, output } = await peers({}, '--quick');
  expect([code, output]).toEqual([0, expect.stringContaining('Our host compared with other servers')]);
  const installed = PEERS.filter((peer) => peer.missing?.() === undefined);
  const entries = installed.map(
    ({ entry }): Entry => JSON.parse(readFileSync(join(directory, 'peers', `${entry}.json`), 'utf8')),
  );
  for (const { name, role, version, stamp, figures, failed } of entries) {
    expect([name, failed, version]).toEqual([name, [], expect.stringMatching(/\d/)]);
    expect(stamp.command).toContain('npm run bench -- peers --quick');
    if (role !== 'peer') expect([name, Object.keys(figures).toSorted()]).toEqual([name, FIGURE_NAMES.toSorted()]);
    for (const { runs, median } of Object.values(figures)) expect(runs).toEqual([median]);
  }
});

test('explains how to install a named server that is missing', async () => {
  const { code, output } = await peers({ UNLEASH_EDGE: '/nowhere/unleash-edge' }, 'unleash-edge', '--quick');
  expect([code, output]).toEqual([
    2,
    expect.stringMatching(/^bench peers: \/nowhere\/unleash-edge is not there: install/),
  ]);
});
