import { markdownTable } from '../../shared/command/markdownTable.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { type AppConfigComparison, compareAppConfig } from '../model/report/appConfig.ts';
import { costOf, readiness } from '../model/report/compare.ts';
import type { Assumptions } from '../model/workload/assumptions.ts';
import { count, money } from '../model/workload/figures.ts';
import { PRESETS } from '../model/workload/presets.ts';
import { parseWorkload, type Workload } from '../model/workload/workload.ts';
import { LONGEST_PING } from './breakEven.ts';

/** Ping intervals of the tables, in seconds. */
const PINGS = [SDK_PING_SECONDS, LONGEST_PING];

/** AppConfig and serverless for the servers of each preset. */
export function appConfigPresetTable(assumed: Assumptions): string {
  const presets = Object.values(PRESETS).map(({ title, workload }) => ({ title, workload: parseWorkload(workload) }));
  const row = (name: string, of: (each: Workload) => string) => [name, ...presets.map(({ workload }) => of(workload))];
  const compared = (pingSeconds: number, of: (each: AppConfigComparison) => string) => (workload: Workload) => {
    const comparison = withPing(workload, pingSeconds, assumed);
    return comparison ? of(comparison) : 'no servers';
  };
  return markdownTable(
    ['', ...presets.map(({ title }) => title)],
    [
      row(
        'servers at peak',
        compared(SDK_PING_SECONDS, ({ servers }) => count(servers)),
      ),
      row(
        'changes a month',
        compared(SDK_PING_SECONDS, ({ changes }) => count(changes)),
      ),
      row(
        'AppConfig, only servers',
        compared(SDK_PING_SECONDS, ({ appConfig }) => money(appConfig.total)),
      ),
      ...PINGS.map((ping) =>
        row(
          `Flagwire, only servers, pings every ${ping} s`,
          compared(ping, ({ serverless }) => money(serverless.total)),
        ),
      ),
      ...PINGS.map((ping) =>
        row(`changes a month from which Flagwire is cheaper, pings every ${ping} s`, compared(ping, breakEven)),
      ),
      row('Flagwire, all connections', (workload) => {
        const cost = costOf('serverless', workload, assumed);
        return cost.isPossible ? money(cost.bill.total) : readiness(cost);
      }),
    ],
  );
}

/** AppConfig and serverless for servers that run all month, by their number. */
export function appConfigServerTable(assumed: Assumptions): string {
  return markdownTable(
    [
      'servers, all month',
      'AppConfig without changes',
      ...PINGS.map((ping) => `Flagwire without changes, pings every ${ping} s`),
      'AppConfig, one change',
      'Flagwire, one change',
      ...PINGS.map((ping) => `Flagwire is cheaper from, pings every ${ping} s`),
    ],
    [1, 10, 100, 1_000, 10_000].map((connections) => {
      const workload = parseWorkload({ connections, sdks: [{ share: 1, pingSeconds: LONGEST_PING, type: 'server' }] });
      const compared = PINGS.flatMap((ping) => withPing(workload, ping, assumed) ?? []);
      const longest = compared.at(-1);
      return [
        count(connections),
        money(longest?.appConfig.unchanged ?? Number.NaN),
        ...compared.map(({ serverless }) => money(serverless.unchanged)),
        money(longest?.appConfig.change ?? Number.NaN),
        money(longest?.serverless.change ?? Number.NaN),
        ...compared.map(breakEven),
      ];
    }),
  );
}

function withPing(workload: Workload, pingSeconds: number, assumed: Assumptions): AppConfigComparison | undefined {
  return compareAppConfig({ ...workload, sdks: workload.sdks.map((sdk) => ({ ...sdk, pingSeconds })) }, assumed);
}

function breakEven({ breakEven: changes }: AppConfigComparison): string {
  return changes > 0 ? count(Math.ceil(changes)) : 'any';
}
