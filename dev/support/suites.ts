import { jestCommand } from './tools/jest.ts';

/** Tests that are run by a name: `npm test -- <name>`. */
export interface Suite {
  readonly about: string;
  /** What it needs besides Node. */
  readonly needs?: string;
  /** How long it takes on two cores. */
  readonly minutes: number;
  /** Globs from the root of the files that jest runs; none where another program runs it. */
  readonly files?: readonly string[];
  readonly command: readonly string[];
}

const TESTS = '{shared,functions,infra,loadtest,cli,console,cost,dev}/**/*.test.ts';
const CONFORMANCE = 'dev/verify/conformance';

/** jest on some files. @param workers how many processes: one where a test wants the machine, more where tests mostly wait */
function jest(files: readonly string[], workers: number, ...options: readonly string[]): readonly string[] {
  // jest knows <rootDir> at the beginning only.
  const globs = files.map((glob) => glob.replace(/^!?/, (not) => (not ? '!**/' : '<rootDir>/')));
  const processes = workers === 1 ? ['--runInBand'] : ['--maxWorkers', String(workers)];
  // Young objects live longer than V8 expects, which collects them again and again.
  return [
    process.execPath,
    '--max-semi-space-size=64',
    ...jestCommand,
    '--testMatch',
    ...globs,
    ...processes,
    ...options,
  ];
}

function byJest(suite: Omit<Suite, 'command'> & { files: readonly string[]; workers?: number }): Suite {
  return { ...suite, command: jest(suite.files, suite.workers ?? 1) };
}

const firstThose = ['--testSequencer', './dev/support/jest/conformanceFirst.ts'];

/** What `npm test` runs after the checks. Conformance mostly waits, while the others keep the processors busy. */
export const usual = jest([TESTS], 4, ...firstThose);

/** Every test file belongs to one of these; what is `*.test.ts` also to {@link usual}. */
export const SUITES: Readonly<Record<string, Suite>> = {
  unit: byJest({
    about: 'unit and property tests, next to the sources',
    needs: 'openssl, Python 3',
    minutes: 3,
    files: [TESTS, `!${CONFORMANCE}/**`],
    workers: 3,
  }),
  long: byJest({
    about: 'unit tests that start many processes, kill the service at each of its requests, or boot a machine',
    needs: 'root, systemd and logrotate to boot a machine. Without them, these tests are skipped, unless CI is set',
    minutes: 1,
    files: ['{shared,functions,infra}/**/*.suite.ts', 'dev/{emulator,verify/checks}/**/*.suite.ts'],
    workers: 2,
  }),
  conformance: byJest({
    about:
      'what SDKs must receive from the gateway and from the host, also after restarts. With HOST_RUNTIME=node, hosts run on Node',
    needs: 'Python 3.10 and Go 1.26 for their SDKs. Without them, these tests are skipped',
    minutes: 3,
    files: [`${CONFORMANCE}/**/*.{test,suite}.ts`, `!${CONFORMANCE}/rust.suite.ts`],
    workers: 4,
  }),
  bun: {
    about: 'the tests next to the host’s sources, on Bun',
    minutes: 1,
    command: [
      ...['bun', 'test', '--timeout', '60000'],
      ...['wsTransport', 'upgrade'].flatMap((name) => ['--path-ignore-patterns', `**/${name}.test.ts`]),
      ...['functions/host/', 'shared/store/announcedTable.test.ts'],
    ],
  },
  faults: byJest({
    about:
      'conformance with the quotas of other AWS accounts, and on three hosts behind a load balancer. Also throttles, timeouts and crashes',
    needs: 'HAProxy',
    minutes: 5,
    files: ['dev/verify/faults/*.suite.ts'],
    workers: 4,
  }),
  rust: byJest({
    about: 'FeatBit’s Rust SDK on the gateway and the host',
    needs: 'Rust 1.95',
    minutes: 1,
    files: [`${CONFORMANCE}/rust.suite.ts`],
  }),
  e2e: byJest({
    about: 'conformance of the stacks, deployed into an independent AWS emulator',
    needs: 'Python 3.10',
    minutes: 5,
    files: ['dev/verify/e2e/*.suite.ts'],
  }),
  loadtest: byJest({
    about: 'a short campaign of the load test, and its report',
    needs: 'Chromium',
    minutes: 3,
    files: ['loadtest/**/*.suite.ts'],
  }),
  pages: byJest({
    about: 'the console and the cost page in a browser',
    needs: 'Chromium',
    minutes: 2,
    files: ['{cost,console}/**/*.suite.ts'],
  }),
  package: byJest({
    about: 'the npm package, installed into an empty folder',
    needs: 'the npm registry',
    minutes: 1,
    files: ['dev/pack/*.suite.ts'],
  }),
  torture: byJest({
    about: 'a short run of npm run torture',
    needs: 'Python 3.10, HAProxy',
    minutes: 5,
    files: ['dev/verify/torture/*.suite.ts'],
  }),
  'dynamodb-local': {
    about: 'the store’s tests on Amazon’s DynamoDB Local',
    needs: 'Java 17, Maven',
    minutes: 2,
    command: [process.execPath, 'dev/verify/dynamodbLocal/main.ts'],
  },
};
