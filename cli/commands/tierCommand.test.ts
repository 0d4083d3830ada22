import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HostReports } from '../../shared/store/connections/hostReports.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import type { TestStore } from '../../shared/store/testing/testTables.ts';
import type { Tier } from '../../shared/tier/tier.ts';
import { TestCli } from '../testing/cli.ts';

const NEVER = { changedAt: 0, crowdedSince: undefined, quietSince: undefined };
const TIER: Tier = { ...NEVER, mode: 'auto', by: 'deployment', wanted: 'host', revision: 1 };
let cli: TestCli;
let service: TestStore;

beforeEach(async () => {
  cli = await TestCli.start();
  service = await cli.openService();
});
afterEach(() => cli.close());

describe('tier', () => {
  test('says that there is no front door', async () => {
    const message =
      'error: table Flags has no tier. The service has no front door, or was deployed less than a minute ago. The setting frontDoor adds one';
    for (const words of [[], ['host']]) {
      const { code, err } = await cli.run('tier', ...words);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  test('shows mode, tier, times and numbers of connections', async () => {
    const { environment } = await service.environments.create('bench');
    await service.tiers.write(TIER);
    const { id } = environment;
    await connect(service.connections, id, { id: 'c', type: 'server', requestedAt: 1 }, 7);
    const report = { open: 12, servedTo: 0, served: 0, newest: 0, behind: 0, rounds: [] };
    await new HostReports(service.connections.table).write(id, { id: 'a', owner: 'o' }, report, true);
    expect((await cli.run('tier')).out).toBe(
      'host since 1970-01-01T00:00:00.000Z\nmode auto, set by deployment\nmachine: unknown\nconnections: 1 on API Gateway, 12 on hosts',
    );
    const health = { kind: 'unhealthy', reason: 'no heartbeat' } as const;
    await service.machine.write({ health, heartbeat: 7, heardAt: 8 });
    expect((await cli.run('tier')).out).toContain('\nmachine: no heartbeat\n');
    const changedAt = Date.UTC(2026, 10, 28);
    await service.tiers.write({ ...TIER, wanted: 'gateway', changedAt, revision: 2 });
    expect((await cli.run('tier')).out).toContain('API Gateway since 2026-11-28T00:00:00.000Z\n');
    expect((await cli.run('tier', '--json')).json).toMatchObject({
      mode: 'auto',
      wanted: 'gateway',
      changedAt,
      health,
      connections: { gateway: 1, host: 12 },
    });
    await service.hosts.write({ id: 'b', owner: 'o' });
    expect((await cli.run('tier')).out).toContain('1 on API Gateway, an unknown number on hosts');
  });

  test('sets the mode, and says who did', async () => {
    await service.tiers.write(TIER);
    const { code, out } = await cli.run('tier', 'gateway');
    expect([code, out]).toEqual([0, 'mode is gateway; the tier follows within minutes (table Flags)']);
    expect(await service.tiers.read()).toMatchObject({
      mode: 'gateway',
      by: expect.stringContaining('@'),
      revision: 2,
    });
  });

  test('refuses an unknown mode', async () => {
    const { code, err } = await cli.run('tier', 'hosts');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('"hosts" is not a mode; write one of: auto, host, gateway'),
    ]);
  });

  test('asks before it sets the mode of a service with a production environment', async () => {
    await service.tiers.write(TIER);
    const { environment } = await service.environments.create('live');
    await service.environments.change(environment, { isProduction: true });
    expect(await cli.run('tier', 'gateway')).toMatchObject({ code: 1, err: expect.stringContaining('Add --yes') });
    cli.typed = 'something';
    expect((await cli.run('tier', 'gateway')).code).toBe(1);
    expect(await service.tiers.read()).toEqual(TIER);
    cli.typed = 'live';
    expect((await cli.run('tier', 'gateway')).code).toBe(0);
    expect((await cli.run('tier', 'host', '--yes', '--no-input')).code).toBe(0);
    expect(await service.tiers.read()).toMatchObject({ mode: 'host', revision: 3 });
  });
});
