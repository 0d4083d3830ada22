import { expect, test } from '@jest/globals';
import type { MachineHealth } from './machineHealth.ts';
import { firstTier, hintFor, type TierName } from './tier.ts';

const HEALTHY: MachineHealth = { kind: 'healthy' };

test.each<[TierName, MachineHealth, TierName]>([
  ['host', HEALTHY, 'host'],
  ['gateway', HEALTHY, 'gateway'],
  ['host', { kind: 'unhealthy', reason: 'no heartbeat' }, 'gateway'],
  ['host', { kind: 'recovering', since: 0 }, 'gateway'],
])('with the wanted tier %s and the health %j, hints at %s', (wanted, health, hint) => {
  expect(hintFor({ ...firstTier(0), wanted }, health)).toBe(hint);
});
