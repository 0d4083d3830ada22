import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestStore } from '../../shared/store/testing/testTables.ts';
import type { Tier } from '../../shared/tier/tier.ts';
import { TestCli } from '../testing/cli.ts';

const TIER: Tier = { wanted: 'host', by: 'deployment', changedAt: 0, revision: 1 };
let cli: TestCli;
let service: TestStore;

beforeEach(async () => {
  cli = await TestCli.start();
  service = await cli.openService();
});
afterEach(() => cli.close());

describe('tier', () => {
  test('says that there is no front door', async () => {
    const message = `error: table ${service.tables.flags} has no tier. The service has no front door, or was deployed less than a minute ago. The setting frontDoor adds one`;
    for (const words of [[], ['host']]) {
      const { code, err } = await cli.run('tier', ...words);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  test('shows where new connections go, who set that, and the health of the machine', async () => {
    await service.tiers.write(TIER);
    expect((await cli.run('tier', '--verbose')).out).toBe(
      'new connections go to the host or API Gateway: the hint is not written yet\nset to host by deployment, 1970-01-01T00:00:00.000Z\nmachine: unknown',
    );
    const health = { kind: 'unhealthy', reason: 'no heartbeat' } as const;
    await service.machine.write({ health, heartbeat: 7, heardAt: 8 });
    const changedAt = Date.UTC(2026, 10, 28);
    await service.tiers.write({ ...TIER, changedAt, hinted: 'gateway', revision: 2 });
    expect((await cli.run('tier', '--verbose')).out).toBe(
      'new connections go to API Gateway\nset to host by deployment, 2026-11-28T00:00:00.000Z\nmachine: no heartbeat',
    );
    expect((await cli.run('tier', '--json')).json).toMatchObject({
      wanted: 'host',
      hinted: 'gateway',
      changedAt,
      health,
    });
  });

  test('sets the tier, and says who did', async () => {
    await service.tiers.write(TIER);
    const { code, out } = await cli.run('tier', 'gateway');
    expect([code, out]).toEqual([0, 'the tier is gateway; new connections follow within minutes']);
    expect(await service.tiers.read()).toMatchObject({
      wanted: 'gateway',
      by: expect.stringContaining('@'),
      revision: 2,
    });
  });

  test('refuses an unknown tier', async () => {
    const { code, err } = await cli.run('tier', 'auto');
    expect([code, err]).toEqual([2, expect.stringContaining('"auto" is not a tier; write one of: host, gateway')]);
  });

  test('asks before it sets the tier of a service with a production environment', async () => {
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
    expect(await service.tiers.read()).toMatchObject({ wanted: 'host', revision: 3 });
  });
});
