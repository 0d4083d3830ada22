import { T2_OF_ONE_CORE } from '../../cost/assumptions/ranges.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import { figure, times } from '../report/document.ts';
import { numberAt, readResults, threeDigits, valueAt } from './results.ts';

/** The columns of tables with FeatBit's server, by their names in its results file. */
const SERVERS = {
  flagwireBun: 'Flagwire',
  featbitMemory: 'FeatBit, memory',
  featbitRedis: 'FeatBit, Redis',
  featbitPostgres: 'FeatBit, PostgreSQL',
} as const;

const RATES = [1_000, 1_100, 1_200];
const atRates = (label: string, unit: string, name: string) =>
  RATES.map((rate): Row => [`${label} at ${figure(rate)} a second, ${unit}`, `warm.results.${rate}`, name]);

/** A row: its label, and where docs/results/featbit/servers.json has the servers and their figure. */
type Row = readonly [label: string, servers: string, figure: string];

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'featbit warm': [...atRates('CPU', '% of a core', 'cpuPercent'), ...atRates('data-sync, P99', 'ms', 'syncP99Ms')],
  'featbit saturation': [['new clients a second, after a warm-up of 40 s', 'saturationWarm.results', 'newPerSecond']],
  'featbit push': [
    ['first client, P50, ms', 'push.results', 'firstClientP50Ms'],
    ['last client, P50, ms', 'push.results', 'lastClientP50Ms'],
    ['last client, P99, ms', 'push.results', 'lastClientP99Ms'],
    ['CPU time of a change, ms', 'push.results', 'cpuMsPerFlip'],
  ],
  'featbit large environment': [
    ['write to SDK, P50, ms', 'largeEnvironment', 'writeToSdkP50Ms'],
    ['initialization, P50, ms', 'largeEnvironment', 'initialisationP50Ms'],
    ['CPU time of 60 initializations, s', 'largeEnvironment', 'cpuSecondsFor60'],
    ['memory, MB', 'largeEnvironment', 'memoryMB'],
  ],
  'featbit rest': [
    ['one flag over HTTP, evaluations a second', 'evaluateOverHttp.requestsPerSecond.oneFlag', ''],
    ['store refuses connections for 10 s: answered of 2,000', 'storeAway.refuses', 'answered'],
  ],
  'featbit cold': [
    ['CPU at 1,100 a second, % of a core', 'fromCold.results', 'cpuPercent'],
    ['clients answered of 17,600 in 16 s', 'fromCold.results', 'answered'],
    ['memory with these connections, MB', 'fromCold.results', 'heldMB'],
  ],
};

/** The tables by name: medians of the rounds, and in brackets Flagwire's divided by the other server's. */
export const FEATBIT_TABLES = Object.fromEntries(
  Object.entries(TABLES).map(([name, rows]) => [name, () => renderTable(readResults('featbit/servers'), rows)]),
);

/** The most new clients a second of each server, warm, on one core. */
export function newClients() {
  return Object.entries(SERVERS).map(([of, name]) => {
    const value = numberAt(readResults('featbit/servers'), `saturationWarm.results.${of}.newPerSecond`);
    return { of, name, value, figure: threeDigits(value) };
  });
}

/** How many times as many new clients the host opens as FeatBit's server. @param store of FeatBit's server: Memory, Redis or Postgres */
export function timesAsMany(store: string): string {
  const find = (id: string) => newClients().find(({ of }) => of === id)?.value ?? Number.NaN;
  return String(Number((find('flagwireBun') / find(`featbit${store}`)).toPrecision(2)));
}

/** What the host needs of a t2.micro at a rate, in percent of its core: the lowest round at the low end of {@link T2_OF_ONE_CORE}, to the highest at the high end. */
export function shareOfT2(rate: string): string {
  const rounds = valueAt(readResults('featbit/servers'), `warm.results.${rate}.flagwireBun.cpuPercent`) as number[];
  const ends = [Math.min(...rounds) * T2_OF_ONE_CORE.low, Math.max(...rounds) * T2_OF_ONE_CORE.high];
  return ends.map(threeDigits).join(' to ');
}

/** A table of those rows. Columns without a figure are left out. */
export function renderTable(results: unknown, rows: readonly Row[]): string {
  const columns = Object.entries(SERVERS).filter(([id]) =>
    rows.some(([, servers]) => valueAt(results, `${servers}.${id}`) !== undefined),
  );
  return markdownTable(
    ['figure', ...columns.map(([, name]) => name)],
    rows.map(([label, servers, name]) => {
      const of = (id: string) => numberAt(results, [servers, id, name].filter((key) => key !== '').join('.'));
      const ours = of('flagwireBun');
      const cells = columns.map(([id]) => {
        const value = of(id);
        const isCompared = id !== 'flagwireBun' && value > 0;
        return isCompared ? `${threeDigits(value)} (${times(ours / value)})` : threeDigits(value);
      });
      return [label, ...cells];
    }),
  );
}
