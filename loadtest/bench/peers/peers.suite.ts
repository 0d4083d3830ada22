import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { programOf } from '../../../infra/hostRuntime.ts';
import { POSTGRES, startPostgres } from './featbitStores.ts';
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

/** A program that listens as FeatBit's evaluation server does, with the flags of its store. */
const FAKE_SERVER = `
const { readFileSync } = require('node:fs');
const { DbProvider, Postgres__ConnectionString = '', ASPNETCORE_URLS } = process.env;
const [, port] = /Port=(\\d+)/.exec(Postgres__ConnectionString) ?? [];
const query = ['psql', '-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-Atc', 'select json_agg(feature_flags) from feature_flags', 'featbit'];
const stored = () => Bun.spawnSync(query).stdout.toString();
const flags = JSON.parse(DbProvider === 'Fake' ? readFileSync('Fakes/flags.json', 'utf8') : stored());
const evaluate = ({ key, fallthrough }) => ({ key, variation: { value: String(fallthrough.variations.length === 1) } });
Bun.serve({
  hostname: '0.0.0.0',
  port: Number(new URL(ASPNETCORE_URLS).port),
  fetch: async (request, server) => {
    if (server.upgrade(request)) return undefined;
    if (request.method === 'GET') return new Response('Healthy');
    if (request.headers.get('authorization')?.length !== 44) return new Response('', { status: 401 });
    const { filter } = await request.json();
    return Response.json(flags.filter(({ key }) => !filter || filter.keys.includes(key)).map(evaluate));
  },
  websocket: {
    message: (socket, text) => {
      const { messageType, data } = JSON.parse(text);
      const all = flags.map(({ key }) => ({ id: key }));
      const sync = { eventType: 'full', userKeyId: data?.user?.keyId, featureFlags: all };
      socket.send(JSON.stringify({ messageType: messageType === 'ping' ? 'pong' : 'data-sync', data: sync }));
    },
  },
});`;

/** The columns of FeatBit's tables that its evaluation server reads. */
const TABLES = `create database featbit;
\\connect featbit
create table organizations (id uuid not null, workspace_id uuid not null, key text not null, default_permissions jsonb not null);
create table projects (id uuid not null, organization_id uuid not null, key text not null);
create table environments (id uuid not null, project_id uuid not null, key text not null, secrets jsonb);
create table feature_flags (id uuid not null, env_id uuid not null, revision uuid not null, key text not null, variations jsonb,
  fallthrough jsonb, is_enabled boolean not null, tags text[], creator_id uuid not null, updated_at timestamptz not null);`;

test.each(['memory', ...(POSTGRES === undefined ? [] : ['postgresql'])])(
  'measures FeatBit’s server with its store in %s',
  async (store) => {
    const folder = join(directory, 'featbit');
    for (const name of ['Fakes', 'sql']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'version'), '5.4.2\n');
    writeFileSync(join(folder, 'sql', 'v0.0.0.sql'), TABLES);
    writeFileSync(join(folder, 'server.cjs'), FAKE_SERVER);
    writeFileSync(join(folder, 'Api'), `#!/bin/sh\nexec ${programOf('bun')} server.cjs\n`, { mode: 0o755 });
    const { code, output } = await peers({ FEATBIT_SERVER: folder }, `featbit-${store}`, '--quick');
    expect([code, output]).toEqual([0, expect.not.stringContaining('INVALID')]);
    const file = join(directory, 'peers', `featbit-${store}.json`);
    const { version, failed, figures }: Entry = JSON.parse(readFileSync(file, 'utf8'));
    expect([version, failed]).toEqual(['5.4.2', []]);
    const unmeasured = FIGURE_NAMES.filter((name) => !(name in figures));
    expect(unmeasured).toEqual(['changeMedianMs', 'changeSlowestMs', 'changeBytes']);
  },
);

test('explains how to get FeatBit’s server', async () => {
  const { code, output } = await peers({ FEATBIT_SERVER: '/nowhere' }, 'featbit-memory', '--quick');
  expect([code, output]).toEqual([2, expect.stringContaining('/nowhere has no Api: build it, or set FEATBIT_SERVER')]);
});

test('leaves no server and no folder of a database that cannot be filled', async () => {
  writeFileSync(join(directory, 'v0.0.0.sql'), 'nonsense;');
  const servers = () => spawnSync('pgrep', ['-f', 'flagwire-postgres-'], { encoding: 'utf8' }).stdout;
  const left = () => [globSync(join(tmpdir(), 'flagwire-postgres-*')), servers()];
  const before = left();
  const reason = POSTGRES === undefined ? 'initdb' : 'nonsense';
  await expect(startPostgres({ envId: '', key: '', flags: [] }, directory)).rejects.toThrow(reason);
  expect(left()).toEqual(before);
});
