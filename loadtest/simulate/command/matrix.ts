import { parseMix } from '../../scenarios/sdks.ts';
import { ACCOUNTS, type Account, raisedTo } from '../quotas/account.ts';
import { deliverySettings } from '../scenarios/deliverySettings.ts';
import { expectedTimes } from '../scenarios/times.ts';
import { SCENARIOS, type Scenario } from './options.ts';
import { type Simulated, simulate } from './simulation.ts';

/** What a million connections takes: quotas to ask AWS for, and settings of the stack. */
export const MILLION = {
  requests: 150_000,
  newConnections: 2_500,
  concurrency: 3_000,
  deliveries: 17,
  tableWrites: 10_000,
} as const;

/** What is simulated for the pages, under a title each. */
export type Sections = readonly { readonly title: string; readonly results: readonly Simulated[] }[];

const SIZES = [1_000, 10_000, 100_000];
const A_MILLION = 1_000_000;

/** Seconds in which everybody connects. */
const OVER_SECONDS = 60;

/** Simulates all that docs/results/simulation.md and docs/scale.md tell. */
export function simulateMatrix(say: (line: string) => void): Sections {
  const of = (
    account: Account,
    connections: number,
    more: { environments?: number; deliveries?: number; sdks?: string; scenarios?: readonly Scenario[] } = {},
  ) => {
    const { environments = 1, deliveries, sdks = 'js-client', scenarios = SCENARIOS } = more;
    say(`${connections.toLocaleString('en')} connections in ${environments} environments, account ${account.name}`);
    return simulate({
      scenarios,
      population: { connections, environments, sdks: parseMix(sdks), account, times: expectedTimes(), seed: 1 },
      overSeconds: OVER_SECONDS,
      settings: deliverySettings(account, deliveries),
      changed: 1,
    });
  };
  const million = { ...raisedTo(ACCOUNTS.default, MILLION), name: 'million' };
  const { deliveries } = MILLION;
  return [
    {
      title: 'Browsers in one environment, default quotas',
      results: [
        ...SIZES.flatMap((size) => of(ACCOUNTS.default, size)),
        // Its pings alone are too many: it would be two hours of refusals.
        ...of(ACCOUNTS.default, A_MILLION, { scenarios: ['push'] }),
      ],
    },
    {
      title: 'Browsers in one environment, ten times the quotas',
      results: [...SIZES, A_MILLION].flatMap((size) => of(ACCOUNTS.raised, size)),
    },
    { title: 'A new account: ten concurrent executions', results: of(ACCOUNTS['new-account'], 1_000) },
    {
      title: 'Go, Python and Java at 10 s pings, default quotas',
      results: of(ACCOUNTS.default, 100_000, { sdks: 'go=34,python=33,java=33' }),
    },
    {
      title: '100,000 connections in 10,000 environments, default quotas',
      results: of(ACCOUNTS.default, 100_000, { environments: 10_000 }),
    },
    { title: 'A million, with the quotas of scale.md', results: of(million, A_MILLION, { deliveries }) },
  ];
}
