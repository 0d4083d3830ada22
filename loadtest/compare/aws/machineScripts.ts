import { QUIET } from '../../runner/artillery.ts';

/** The folder on the machine. */
const HOME = `\${FLAGWIRE_LOAD_HOME:-/var/lib/flagwire-load}`;

/** Prepares the shell, and downloads a run. */
const prepare = (bucket: string, job: string) => [
  ...['set -eu', 'ulimit -n 1000000', `mkdir -p ${HOME} && cd ${HOME}`],
  ...Object.entries(QUIET).map(([name, value]) => `export ${name}=${value}`),
  'run=$(mktemp -d) && trap \'rm -rf "$run"\' EXIT',
  `aws s3 cp --only-show-errors s3://${bucket}/${job} - | tar xz -C "$run"`,
];

/** Installs artillery from its lock file. */
export function installScript(bucket: string, job: string): string[] {
  return [
    ...prepare(bucket, job),
    'rm -rf artillery && cp -r "$run/artillery" .',
    'npm ci --prefix artillery --ignore-scripts --no-audit --no-fund --loglevel error',
  ];
}

/** The objects of a run in the bucket. */
interface RunObjects {
  readonly bucket: string;
  readonly job: string;
  readonly result: string;
  /** Contains the machine's clock in unix milliseconds at the start of the workers. */
  readonly begun: string;
}

/** Runs the workers, and deletes the files of the run. */
export function runScript({ bucket, job, result, begun }: RunObjects, workers: number): string[] {
  const worker = (n: number) =>
    `FLAGWIRE_SLICES="$run/slices" FLAGWIRE_WORKER=${n} node artillery/node_modules/artillery/bin/run run --quiet ` +
    `"$run/worker-${n}/script.json" >"$run/${n}.log" 2>&1 & pids="$pids $!"`;
  return [
    ...prepare(bucket, job),
    'mkdir "$run/slices"',
    `date +%s%3N | aws s3 cp --only-show-errors - s3://${bucket}/${begun}`,
    'pids= failed=',
    ...Array.from({ length: workers }, (_, n) => worker(n)),
    'for pid in $pids; do wait "$pid" || failed=$?; done',
    `[ -z "$failed" ] && [ "$(ls "$run/slices" | wc -l)" -ge ${workers} ] || { tail -n 15 "$run"/*.log >&2; exit 1; }`,
    `tar czf - -C "$run/slices" . | aws s3 cp --only-show-errors - s3://${bucket}/${result}`,
  ];
}
