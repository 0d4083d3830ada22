import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shardOf } from '../../shared/store/connections/connection.ts';
import { HostReports } from '../../shared/store/connections/hostReports.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import type { TestStore } from '../../shared/store/testing/testTables.ts';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;
let service: TestStore;
let envId = '';

beforeAll(async () => {
  cli = await TestCli.start();
  envId = (await cli.run('env', 'create', 'bench', '--json')).json.id;
});
afterAll(() => cli.close());

/** Opens a connection that has everything so far. */
async function open(id: string): Promise<void> {
  const [newest] = (await cli.run('history', '--json')).json;
  const registration = { id, type: 'server' as const, requestedAt: Date.now() - 60_000 };
  await connect(service.connections, envId, registration, newest ? Date.parse(newest.version) : 0);
}

/** Delivers the newest change to the shard of a connection. */
async function deliver(id: string): Promise<void> {
  const [{ version }] = (await cli.run('history', '--json')).json;
  const served = { version: Date.parse(version), at: Date.parse(version) + 1_200, left: 0 };
  await service.connections.shards.markServed(envId, shardOf(id), served.version, [served]);
}

describe('push-status', () => {
  test('refuses an environment without changes', async () => {
    const { code, err } = await cli.run('push-status');
    expect([code, err]).toEqual([1, 'error: environment "bench" has no changes in its history']);
  });

  test('says who records the connections table if it is missing', async () => {
    await cli.run('create', 'a');
    const { code, err } = await cli.run('push-status');
    expect([code, err]).toEqual([1, expect.stringContaining('has not recorded its connections table')]);
    service = await cli.openService();
  });

  test('shows the newest change, or the given one, as text and as JSON', async () => {
    await open('c1');
    await open('c2');
    const [{ version: older }] = (await cli.run('history', '--json')).json;
    await cli.run('toggle', 'a');
    const [{ version }] = (await cli.run('history', '--json')).json;
    expect((await cli.run('push-status')).out).toBe(
      [
        'live on 0 of 2 SDKs',
        `behind: 2 push pending (${['c1', 'c2'].toSorted((a, b) => shardOf(a) - shardOf(b)).join(', ')})`,
      ].join('\n'),
    );
    expect((await cli.run('push-status', older)).out).toBe('live on 2 of 2 SDKs');
    for (const id of ['c1', 'c2']) await deliver(id);
    const { code, out } = await cli.run('push-status');
    expect([code, out]).toEqual([0, 'live on 2 of 2 SDKs in 1.2 s']);
    expect((await cli.run('push-status', '--verbose')).out).toBe(`version ${version}\n${out}`);
    expect((await cli.run('push-status', '--json')).json).toEqual({
      version,
      change: version,
      at: expect.any(String),
      isComplete: true,
      handed: 2,
      connections: 2,
      behind: {},
      behindIds: [],
      unknownHosts: [],
      lastAt: new Date(Date.parse(version) + 1_200).toISOString(),
      later: 0,
    });
  });

  test('forgets a host that has ended, and refuses one that reports', async () => {
    const { client, connections } = service.tables;
    const at = (ms: number) => ({ ...service.effects, now: () => Date.now() + ms });
    const report = { open: 1, servedTo: 1, served: 1, newest: 1, behind: 0, rounds: [] };
    for (const [id, startedAt] of [
      ['ended', -60_000],
      ['open', 0],
    ] as const) {
      const reports = new HostReports({ client, name: connections, effects: at(startedAt) });
      await reports.write(envId, { id, owner: 'o' }, { ...report, open: 0, served: 0 }, true);
    }
    expect((await cli.run('push-status', '--json')).json.unknownHosts).toEqual(['ended', 'open']);
    const { code, out, err } = await cli.run('push-status', '--forget', 'ended', '--json');
    expect([code, JSON.parse(out).unknownHosts, err]).toEqual([0, ['open'], 'forgot host "ended"']);
    const refused = await cli.run('push-status', '--forget', 'open');
    expect([refused.code, refused.err]).toEqual([
      1,
      'error: host "open" has reported within the last minute; stop it, and try again after a minute',
    ]);
  });

  test('refuses a change that does not exist', async () => {
    const { code, err } = await cli.run('push-status', '2020-01-01T00:00:00Z');
    expect([code, err]).toEqual([
      1,
      'error: environment "bench" has no change 2020-01-01T00:00:00Z; `history` shows those there are',
    ]);
    expect(await cli.run('push-status', 'new-checkout')).toMatchObject({
      code: 2,
      err: 'error: "new-checkout" is not a date and time, such as 1970-01-01T00:00:00.000Z; `history --verbose` shows the times of changes',
    });
  });
});
