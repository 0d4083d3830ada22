import { readFileSync } from 'node:fs';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { figure } from '../../report/document.ts';

/** The columns of tables with FeatBit's server, by their names in its results file. */
const SERVERS = {
  flagwireBun: 'Flagwire',
  featbitMemory: 'FeatBit, memory',
  featbitRedis: 'FeatBit, Redis',
  featbitPostgres: 'FeatBit, PostgreSQL',
} as const;

/** The figures of a server by name: a number, or one for each round. */
type Figures = Readonly<Record<string, number | readonly number[]>>;
type Results = Readonly<Partial<Record<string, Figures>>>;
interface Rates {
  readonly results: Readonly<Record<string, Results>>;
}
interface Rounds {
  readonly results: Results;
}

/** The parts of docs/results/featbit/servers.json that tables show. */
interface Measured {
  readonly warm: Rates;
  readonly saturation: Rates;
  readonly saturationWarm: Rounds;
  readonly fromCold: Rounds;
  readonly halfACore: Rounds;
  readonly push: Rounds;
  readonly evaluateOverHttp: { readonly requestsPerSecond: Readonly<Record<string, Figures>> };
  readonly largeEnvironment: Results;
  readonly storeAway: Readonly<Record<'hangs' | 'refuses', Results>>;
}

/** A row: its label, the results, and the name of its figure in them. */
type Row = readonly [label: string, results: Results, name: string];

/**
 * Replaces the tables between marks `<!-- featbit: <name> -->` of a page by those of FeatBit's results.
 *
 * @throws Error for an unknown name
 */
export function withFeatbitTables(page: string, file: string): string {
  const tables = tablesOf(JSON.parse(readFileSync(file, 'utf8')) as Measured);
  return page.replace(/(<!-- featbit: (.+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    const rows = tables[name];
    if (!rows) throw new Error(`there is no table of FeatBit's server named ${name}`);
    return `${begin}\n${tableOf(rows)}\n\n${end}`;
  });
}

function tablesOf(measured: Measured): Readonly<Record<string, readonly Row[]>> {
  const { warm, saturation, saturationWarm, fromCold, halfACore, push, evaluateOverHttp, storeAway } = measured;
  const rates = Object.entries(warm.results);
  const restart = (results: Results): Row[] => [
    ['CPU use while connections open, % of a core', results, 'cpuPercent'],
    ['clients answered in time', results, 'answered'],
    ['connect to reply, P99, ms', results, 'connectToReplyP99Ms'],
    ['memory without connections, MB', results, 'idleMB'],
    ['memory with connections, MB', results, 'heldMB'],
  ];
  return {
    warm: [
      ...rates.map(
        ([rate, results]): Row => [`CPU at ${figure(Number(rate))} a second, % of a core`, results, 'cpuPercent'],
      ),
      ...rates.map(
        ([rate, results]): Row => [
          `connect to reply at ${figure(Number(rate))} a second, P99, ms`,
          results,
          'connectToReplyP99Ms',
        ],
      ),
    ],
    saturation: [
      ['new clients a second, after a warm-up of 40 s', saturationWarm.results, 'newPerSecond'],
      ['new clients a second, after 8 s', saturation.results['64'] ?? {}, 'newPerSecond'],
      ['the same with 256 handshakes at once', saturation.results['256'] ?? {}, 'newPerSecond'],
    ],
    cold: restart(fromCold.results),
    'half a core': restart(halfACore.results),
    push: [
      ['first client, P50, ms', push.results, 'firstClientP50Ms'],
      ['last client, P50, ms', push.results, 'lastClientP50Ms'],
      ['last client, P99, ms', push.results, 'lastClientP99Ms'],
      ['CPU time of a change, ms', push.results, 'cpuMsPerFlip'],
    ],
    'large environment': [
      ['write to SDK, P50, ms', measured.largeEnvironment, 'writeToSdkP50Ms'],
      ['initialization, P50, ms', measured.largeEnvironment, 'initialisationP50Ms'],
      ['CPU time of 60 initializations, s', measured.largeEnvironment, 'cpuSecondsFor60'],
      ['memory, MB', measured.largeEnvironment, 'memoryMB'],
    ],
    http: Object.entries({ oneFlag: 'one flag', allFiveFlags: 'all five flags' }).map(([name, label]): Row => {
      const byServer = Object.entries(evaluateOverHttp.requestsPerSecond[name] ?? {});
      return [
        `${label}, evaluations a second`,
        Object.fromEntries(byServer.map(([id, rate]) => [id, { rate }])),
        'rate',
      ];
    }),
    'store away': [
      ['answered while the store refuses connections', storeAway.refuses, 'answered'],
      ['answered while the store hangs', storeAway.hangs, 'answered'],
    ],
  };
}

/** Medians of the rounds, and in brackets Flagwire's divided by the other server's. */
function tableOf(rows: readonly Row[]): string {
  const middle = (found: number | readonly number[] | undefined) =>
    typeof found === 'object' ? median(found) : (found ?? Number.NaN);
  const columns = Object.entries(SERVERS).filter(([id]) => rows.some(([, results]) => results[id] !== undefined));
  return markdownTable(
    ['figure', ...columns.map(([, name]) => name)],
    rows.map(([label, results, name]) => {
      const ours = middle(results['flagwireBun']?.[name]);
      const cells = columns.map(([id]) => {
        const value = middle(results[id]?.[name]);
        if (Number.isNaN(value)) return '–';
        return id === 'flagwireBun' || value === 0
          ? figure(value)
          : `${figure(value)} (${Number((ours / value).toPrecision(2))} ×)`;
      });
      return [label, ...cells];
    }),
  );
}
