/** A measurement whose figures are kept: a command of package.json. */
export interface Measurement {
  /** What follows `npm run`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Files that it leaves, and where they are kept; without them it writes to `docs/results` itself. */
  readonly kept?: Readonly<Record<string, string>>;
  /** A page whose text about it is written by hand, and is to be read again. */
  readonly byHand?: string;
}

/** All measurements by name, in the order in which they are made: the shortest first. */
export const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  functions: { script: 'bench:functions', args: ['--out', 'docs/results/functions.json'] },
  limits: { script: 'bench:limits', args: [] },
  delivery: { script: 'bench:delivery', args: [] },
  beside: {
    script: 'bench:beside',
    args: [],
    kept: { 'dist/bench-beside/beside.json': 'docs/results/featbit/beside.json' },
  },
  simulation: { script: 'simulate', args: ['--write'] },
  staged: { script: 'loadtest', args: ['staged', '--write'] },
  torture: { script: 'torture', args: [] },
  host: {
    script: 'bench:host',
    args: ['--runs', '3', '--strict', '--out', 'docs/results/host'],
    byHand: 'docs/results/host.md',
  },
  load: {
    script: 'loadtest',
    args: ['reference', '--out', 'dist/results-load'],
    kept: {
      'dist/results-load/results.json': 'docs/results/load/results.json',
      'dist/results-load/report.md': 'docs/results/load/report.md',
      'dist/results-load/report.html': 'docs/results/load/report.html',
    },
    byHand: 'docs/results/load.md',
  },
};
