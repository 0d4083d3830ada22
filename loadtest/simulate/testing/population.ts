import { parseMix } from '../../scenarios/sdks.ts';
import { ACCOUNTS, raisedTo } from '../quotas/account.ts';
import type { Times } from '../scenarios/times.ts';
import type { Population } from '../scenarios/world.ts';

/** Round figures in place of measured ones. */
const times: Times = {
  connectMs: 2,
  syncMs: 20,
  coldMs: 500,
  streamMs: 250,
  publishMs: 40,
  deliverMs: 30,
  pageMs: 20,
  tableMs: 4,
  queueMs: 10,
  postMs: 0.5,
  managementMs: 12,
};

/** A population of browsers in one environment of a default account, with quotas so small that few reach them. */
export function smallPopulation(
  quotas: { readonly requests?: number; readonly newConnections?: number; readonly concurrency?: number } = {},
  more: Partial<Population> = {},
): Population {
  const account = raisedTo(ACCOUNTS.default, { requests: 1_000, newConnections: 20, ...quotas });
  return { connections: 200, environments: 1, sdks: parseMix('js-client'), account, times, seed: 1, ...more };
}
