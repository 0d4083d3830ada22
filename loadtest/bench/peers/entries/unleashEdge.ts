import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../dev/support/freePort.ts';
import { RunningProcess } from '../../../../dev/support/runningProcess.ts';
import { findLoopback } from '../../../machine/loopback.ts';
import { SERVER_CORE } from '../../../machine/pinned.ts';
import type { Peer } from '../peer.ts';
import { USER } from './flagwire.ts';

const program = process.env['UNLEASH_EDGE'] ?? 'unleash-edge';
const TOKEN = '*:development.benchmark';
/** The default of Unleash's JavaScript client. */
const POLL_SECONDS = 30;
const NO_PUSH =
  'Open-source Edge sends no changes, its Enterprise build does. By default, clients poll every 30 s, and Edge polls Unleash every 15 s.';

/** The open-source build of Unleash Edge, without an Unleash behind it. */
export const unleashEdge: Peer = {
  entry: 'unleash-edge',
  name: 'Unleash Edge',
  role: 'peer',
  build: '`cargo install --locked unleash-edge --version 20.1.0`, default features',
  settings: [
    'Offline mode: the flags come from a bootstrap file.',
    'The five flags have the conditions of ours, as strategies of Unleash. Strategies have no order, so some values differ.',
    '`POST /api/frontend` answers all flags, and leaves out those that are off: 4 of 5. `POST /api/frontend/features/<name>` answers one.',
    'A new client connects, gets all flags and disconnects.',
    `An idle client connects every ${POLL_SECONDS} s, asks with its ETag and gets a 304.`,
  ],
  blank: {
    idleMemoryBytes: 'A client holds no connection between two polls.',
    changeMedianMs: NO_PUSH,
    changeSlowestMs: NO_PUSH,
    changeBytes: 'There is no message of one change: the next poll answers all flags again.',
  },
  missing: () =>
    spawnSync(program, ['--help']).error &&
    `${program} is not there: install it with cargo, or name it in the environment variable UNLEASH_EDGE`,
  start: async (_, flags) => {
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-unleash-edge-'));
    const file = join(directory, 'features.json');
    writeFileSync(file, JSON.stringify({ version: 2, features: makeFeatures(flags), segments: SEGMENTS }));
    const port = await freePort();
    const offline = ['offline', '--bootstrap-file', file, '--client-tokens', TOKEN, '--frontend-tokens', TOKEN];
    const edge = new RunningProcess([program, '--port', String(port), ...offline], { core: SERVER_CORE });
    const stop = async () => {
      await edge.stop();
      rmSync(directory, { recursive: true });
    };
    const backstage = `http://127.0.0.1:${port}/internal-backstage`;
    await edge.ready(async () => (await fetch(`${backstage}/ready`)).ok);
    const { this_instance: instance } = (await (await fetch(`${backstage}/instancedata`)).json()) as InstanceData;
    const headers = { authorization: TOKEN };
    const body = { userId: 'u1', properties: USER };
    return {
      ...{ version: instance.edgeVersion, pid: edge.pid, stop },
      target: { addresses: (await findLoopback(port)).map((host) => ({ host, port })), key: TOKEN },
      client: { kind: 'polling', seconds: POLL_SECONDS },
      one: { path: '/api/frontend/features/two-custom-rules-3', headers, body },
      all: { path: '/api/frontend', headers, body },
      expected: (flags * 4) / 5,
      countFlags: (answer) => (answer as { toggles: unknown[] }).toggles.length,
    };
  },
};

type InstanceData = { readonly this_instance: { readonly edgeVersion: string } };

const above = (contextName: string, value: string) => ({ contextName, operator: 'NUM_GT', value });
const test = (contextName: string, operator: string, values: string) => {
  return { contextName, operator, values: values.split(' ') };
};
const SEGMENTS = [
  { id: 1, constraints: [above('age', '10'), test('country', 'IN', 'cn us es'), test('name', 'NOT_IN', 'bob')] },
  { id: 2, constraints: [above('age', '20')] },
];
const rollout = (percent: number, constraints: readonly object[] = [], segments: readonly number[] = []) => {
  const parameters = { rollout: String(percent), stickiness: 'userId', groupId: 'benchmark' };
  return { name: 'flexibleRollout', parameters, constraints, segments };
};
/** The conditions of FeatBit's benchmark flags. */
const FLAGS = Object.entries({
  'returns-true': [rollout(100)],
  'return-10p-true': [rollout(10)],
  'individual-targeting': [rollout(100, [test('userId', 'NOT_IN', 'false-1 false-2 false-3 false-4 false-5')])],
  'two-custom-rules': [
    rollout(100, [above('age', '22'), test('name', 'STR_ENDS_WITH', '_qa')]),
    rollout(20, [test('country', 'IN', 'cn us jp gb es ss')]),
  ],
  'custom-rule-with-segment': [rollout(10, [], [1]), rollout(100, [], [2])],
});

function makeFeatures(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const [name, strategies] = FLAGS[n % FLAGS.length] as (typeof FLAGS)[number];
    return { name: `${name}-${n}`, type: 'release', project: 'default', enabled: true, strategies };
  });
}
