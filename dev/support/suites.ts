import { jestCommand } from './tools/jest.ts';

/** Tests that are run by a name: `npm test -- <name>`. */
export interface Suite {
  readonly about: string;
  /** Requirements besides Node. */
  readonly needs?: string;
  /** Duration on two cores. */
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

/** The tests that `npm test` runs after the checks. Conformance tests mostly wait while other tests use the processors. */
export const usual = jest([TESTS], 4, ...firstThose);

/** Every test file belongs to one of these; what is `*.test.ts` also to {@link usual}. */
export const SUITES: Readonly<Record<string, Suite>> = {
  unit: byJest({
    about: 'unit tests and property tests',
    minutes: 3,
    files: [TESTS, `!${CONFORMANCE}/**`],
    workers: 3,
  }),
  long: byJest({
    about: 'slow tests that start many processes, run cdk, kill or flood the service, or install a host',
    needs:
      'the npm registry, Go 1.26. Root, systemd and logrotate to install a host. Without them, these tests are skipped, unless CI is set',
    minutes: 5,
    files: ['{shared,functions,infra,cli}/**/*.suite.ts', 'dev/{emulator,verify/checks}/**/*.suite.ts'],
    workers: 2,
  }),
  conformance: byJest({
    about: 'conformance tests with SDKs on npm start and on the host. HOST_RUNTIME=node tests the host on Node',
    needs: 'Python 3.10, Go 1.26, openssl and curl. Without them, their tests are skipped, unless CI is set',
    minutes: 3,
    files: [`${CONFORMANCE}/**/*.{test,suite}.ts`, `!${CONFORMANCE}/rust.suite.ts`],
    workers: 4,
  }),
  bun: {
    about: 'unit tests of the host on Bun',
    minutes: 1,
    command: [
      ...['bun', 'test', '--timeout', '60000'],
      ...['wsTransport', 'upgrade', 'pipelining'].flatMap((name) => ['--path-ignore-patterns', `**/${name}.test.ts`]),
      ...['functions/host/', 'shared/runtime/sign', 'announcedTable.test.ts', 'directReads.test.ts'],
    ],
  },
  faults: byJest({
    about:
      'conformance tests with other AWS quotas, and on three hosts behind a load balancer. Tests of throttling, timeouts and crashes',
    needs: 'HAProxy',
    minutes: 5,
    files: ['dev/verify/faults/*.suite.ts'],
    workers: 4,
  }),
  rust: byJest({
    about: 'conformance tests with FeatBit’s Rust SDK',
    needs: 'Rust 1.95',
    minutes: 1,
    files: [`${CONFORMANCE}/rust.suite.ts`],
  }),
  e2e: byJest({
    about: 'conformance tests of the stacks in an independent AWS emulator',
    needs: 'Python 3.10, unzip',
    minutes: 5,
    files: ['dev/verify/e2e/*.suite.ts'],
  }),
  loadtest: byJest({
    about: 'tests of the load test and its report',
    needs: 'Chromium',
    minutes: 3,
    files: ['loadtest/**/*.suite.ts'],
  }),
  pages: byJest({
    about: 'tests of the console and the cost page in a browser',
    needs: 'Chromium',
    minutes: 2,
    files: ['{cost,console}/**/*.suite.ts'],
  }),
  package: byJest({
    about: 'the npm packages, installed into empty folders',
    needs: 'the npm registry',
    minutes: 3,
    files: ['dev/pack/*.suite.ts'],
  }),
  torture: byJest({
    about: 'short run of npm run torture',
    needs: 'Python 3.10, HAProxy',
    minutes: 5,
    files: ['dev/verify/torture/*.suite.ts'],
  }),
  'dynamodb-local': {
    about: 'tests of the store on Amazon’s DynamoDB Local',
    needs: 'Java 17, Maven',
    minutes: 2,
    command: [process.execPath, 'dev/verify/dynamodbLocal/main.ts'],
  },
};
