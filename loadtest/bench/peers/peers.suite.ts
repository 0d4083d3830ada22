import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { FIGURE_NAMES } from './figures.ts';
import { PEERS } from './peers.ts';
import { readEntries } from './peersPage.ts';

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

test('measures all figures of each installed server, and writes the page', async () => {
  const { code, output } = await peers({}, '--quick');
  expect([code, output]).toEqual([0, expect.stringContaining('Our host compared with other servers')]);
  const installed = PEERS.filter((peer) => peer.missing?.() === undefined);
  const entries = readEntries(join(directory, 'peers'));
  expect(entries.map(({ entry }) => entry)).toEqual(installed.map(({ entry }) => entry));
  for (const { name, role, version, measured, figures, failed } of entries) {
    expect([name, failed, version]).toEqual([name, [], expect.stringMatching(/\d/)]);
    expect(measured).toContain('npm run bench -- peers --quick');
    if (role !== 'peer') expect([name, Object.keys(figures).toSorted()]).toEqual([name, FIGURE_NAMES.toSorted()]);
    for (const { runs, median } of Object.values(figures)) expect(runs).toEqual([median]);
    expect(readFileSync(join(directory, 'peers.md'), 'utf8')).toContain(`${name}: ${version}`);
  }
});

test('explains how to install a named server that is missing', async () => {
  const { code, output } = await peers({ UNLEASH_EDGE: '/nowhere/unleash-edge' }, 'unleash-edge', '--quick');
  expect([code, output]).toEqual([
    2,
    expect.stringMatching(/^bench peers: \/nowhere\/unleash-edge is not there: install/),
  ]);
});
