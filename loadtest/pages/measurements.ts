/** A measurement whose figures are kept. */
export interface Measurement {
  /** Commands of package.json, one after the other: what follows `npm run`. */
  readonly commands: readonly (readonly [script: string, ...args: string[]])[];
  /** Files that they leave, and where they are kept; without them they write to `docs` themselves. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Pages that tell what it found. */
  readonly pages: readonly string[];
  /** The figures, in JSON or on a page, with commit and date. */
  readonly figures: string;
  /** Exit codes with which its figures are good all the same: what they were held against is not met, and the pages say so. */
  readonly alsoGood?: readonly number[];
  /** How long it takes on two cores, about. */
  readonly minutes: number;
  /** Folders and files of what it measures: figures from before a change of them are of other code. */
  readonly code: readonly string[];
}

const OUT = 'dist/results';
/** What tells why a user gets what is the command line's and the console's: no server loads it. */
const SHARED = ['shared', ':!shared/evaluation/explain*.ts'];
const HOST = ['functions/host', ...SHARED];
const LAMBDAS = ['functions', ...SHARED, ':!functions/host', ':!functions/cli'];

/** Measurements of `bench:host`, each of which is a file. @param files that it leaves in its folder, and their names in docs/results/host */
const host = (
  pages: readonly string[],
  minutes: number,
  names: readonly string[],
  options: readonly string[],
  files: Readonly<Record<string, string>>,
): Measurement => {
  const out = `${OUT}/${names[0]}`;
  const kept = Object.entries(files).map(([from, to]) => [`${out}/${from}`, `docs/results/host/${to}`]);
  return {
    commands: [['bench:host', ...names, ...options, '--out', out]],
    kept: Object.fromEntries(kept),
    pages,
    figures: `docs/results/host/${files['bench-host.json']}`,
    // Runs whose generator was the bottleneck: the page says which.
    alsoGood: [3],
    minutes,
    code: [...HOST, 'loadtest/testbed', ...names.map((name) => `loadtest/bench/host/${name}.ts`)],
  };
};

/** Scenarios of the load test, and their options. Server SDKs that come back at 50 a second, with 3,000 flags each, keep a generator's core too busy. */
const CAMPAIGNS = {
  reference: [],
  push: [],
  fanout: [],
  held: [],
  heartbeat: [],
  sdks: ['--rates', '20'],
} as const;
const FOLDERS = Object.keys(CAMPAIGNS).map((name) => `${OUT}/load/${name}`);

/** All measurements by name, in the order in which they are made: the shortest first. */
export const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  functions: {
    commands: [['bench:functions', '--out', `${OUT}/functions.json`]],
    kept: { [`${OUT}/functions.json`]: 'docs/results/functions.json' },
    pages: ['docs/cost.md', 'docs/scale.md'],
    figures: 'docs/results/functions.json',
    minutes: 3,
    code: LAMBDAS,
  },
  window: {
    commands: [['bench:window', '--out', `${OUT}/window.json`]],
    kept: { [`${OUT}/window.json`]: 'docs/results/serverless/window.json' },
    pages: ['docs/results/serverless.md', 'README.md'],
    figures: 'docs/results/serverless/window.json',
    minutes: 5,
    code: ['functions/websocket', 'functions/push', 'shared/delivery', 'shared/store', 'shared/reference-data'],
  },
  simulation: {
    commands: [['simulate', '--write']],
    pages: ['docs/results/simulation.md', 'docs/scale.md', 'docs/results/million.md'],
    figures: 'docs/results/simulation.json',
    minutes: 5,
    code: ['loadtest/simulate', 'docs/results/functions.json', 'infra/config'],
  },
  delivery: {
    commands: [['bench:delivery']],
    pages: ['docs/results/serverless.md'],
    figures: 'docs/results/serverless/delivery.json',
    minutes: 5,
    code: ['functions/push', 'functions/lambda', ...SHARED],
  },
  balanced: host(['docs/results/balanced.md'], 5, ['balanced'], [], { 'bench-host.json': 'balanced.json' }),
  limits: {
    commands: [['bench:limits']],
    pages: ['docs/results/serverless.md'],
    figures: 'docs/results/serverless/limits.json',
    minutes: 7,
    code: LAMBDAS,
  },
  beside: {
    commands: [['bench:beside']],
    kept: { 'dist/bench-beside/beside.json': 'docs/results/featbit/beside.json' },
    pages: ['docs/results/featbit.md', 'README.md'],
    figures: 'docs/results/featbit/beside.json',
    minutes: 8,
    code: [
      ...HOST,
      'loadtest/testbed',
      'loadtest/bench/beside',
      // What is made of kept rounds, again with each page.
      ':!loadtest/bench/beside/report.ts',
      ':!loadtest/bench/beside/rounds.ts',
    ],
  },
  staged: {
    commands: [
      [
        'loadtest',
        'staged',
        ...['--tasks', '3', '--share', '0.15', '--every', '1', '--hold', '15', '--ramp', '15'],
        ...['--out', `${OUT}/staged`, '--write'],
      ],
    ],
    pages: ['docs/results/million.md'],
    figures: 'docs/results/million.md',
    minutes: 10,
    code: [...HOST, 'loadtest/staged', ':!loadtest/staged/page.ts', 'loadtest/testbed'],
  },
  idle: {
    commands: [['bench:idle', '--out', `${OUT}/idle.json`]],
    kept: { [`${OUT}/idle.json`]: 'docs/results/host/idle.json' },
    pages: ['docs/cost.md'],
    figures: 'docs/results/host/idle.json',
    minutes: 12,
    code: HOST,
  },
  soak: host(['docs/results/host.md'], 22, ['soak'], [], {
    'bench-host.json': 'soak.json',
    'bench-host.html': 'soak.html',
  }),
  torture: {
    commands: [['torture', '--target', 'host', 'gateway']],
    pages: [],
    figures: 'docs/results/torture.json',
    alsoGood: [1],
    minutes: 30,
    code: [...HOST, 'functions', ':!functions/cli', 'dev/emulator', 'dev/verify/torture'],
  },
  host: host(
    ['docs/results/host.md', 'docs/cost.md'],
    40,
    ['storm', 'saturation', 'held', 'pair', 'push', 'profile'],
    ['--runs', '3'],
    {
      'bench-host.json': 'bench-host.json',
      'bench-host.html': 'bench-host.html',
      'host.cpuprofile': 'host.cpuprofile',
    },
  ),
  emulator: {
    commands: [['simulate', '--against-emulator', '1000,5000,15000', '--write']],
    pages: ['docs/results/simulation.md'],
    figures: 'docs/results/simulation-emulator.json',
    // What is further off than it may be: the page marks it.
    alsoGood: [1],
    minutes: 75,
    code: [...LAMBDAS, 'dev/emulator', 'loadtest/simulate'],
  },
  load: {
    commands: [
      ...Object.entries(CAMPAIGNS).map(
        ([name, options]) => ['loadtest', name, ...options, '--out', `${OUT}/load/${name}`] as const,
      ),
      ['report', ...FOLDERS, '--out', `${OUT}/load`],
    ],
    kept: Object.fromEntries(
      ['results.json', 'report.md', 'report.html'].map((file) => [`${OUT}/load/${file}`, `docs/results/load/${file}`]),
    ),
    pages: ['docs/results/load.md'],
    figures: 'docs/results/load/results.json',
    alsoGood: [1],
    minutes: 120,
    code: [...HOST, 'loadtest/processor', 'loadtest/runner', 'loadtest/scenarios', 'loadtest/results'],
  },
};

/** A command as it is typed. */
export function typedCommand([script, ...args]: Measurement['commands'][number]): string {
  return ['npm run', script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}
