import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { SnapshotWriter } from '../../../shared/store/snapshots/snapshotWriter.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { repeatedFlags } from '../../machine/flagFlips.ts';
import { begin, benchCommand, progressOf, round } from '../benchmark.ts';
import { EVENTS } from '../functions/events.ts';
import type { ProgramName } from './programs.ts';

/** The core of the measured process. */
const CORE = 1;
/** Flags that are evaluated again and again, and for how long. */
const WARM_FLAGS = 1_000;
const WARM_SECONDS = 2;
const WARM_ROUNDS = 3;

/** What is started: its row, its program, the flags of its environment, and whether it reads with the AWS SDK. */
const STARTS: Readonly<Record<string, readonly [row: string, program: ProgramName, flags: number, usesSdk?: true]>> = {
  provider5: ['provider, 5 flags', 'provider', 5],
  provider300: ['300', 'provider', 300],
  provider1000: ['1,000', 'provider', 1_000],
  provider3000: ['3,000', 'provider', 3_000],
  https: ['one HTTPS request, nothing else', 'https', 5],
  sdk: ['AWS SDK, one `GetItem`', 'sdk', 5],
  ofrep: ['OFREP provider, one evaluation', 'ofrep', 5],
  connect: ['`connect`', 'connect', 5],
  connectSdk: ['with the AWS SDK', 'connect', 5, true],
  sync5: ['`sync`, 5 flags', 'sync', 5],
  sync5Sdk: ['with the AWS SDK', 'sync', 5, true],
  sync1000: ['`sync`, 1,000 flags', 'sync', 1_000],
  sync1000Sdk: ['with the AWS SDK', 'sync', 1_000, true],
};
const FUNCTIONS = /^(connect|sync)/;

/** Figures by their names. */
type Figures = Readonly<Record<string, number>>;

const what = 'number of processes for each start. The result is their median';
const command = benchCommand('lambda').option('--rounds <n>', what, wholeNumber, 15);
const { options, report } = begin<{ rounds: number }>(command);

// Loaded on demand, so that --help and errors are fast.
const { TableProcess } = await import('../../../dev/verify/torture/tableProcess.ts');
const { installManifest } = await import('../../../dev/support/installed.ts');
const { bundleProgram } = await import('./programs.ts');
const { playAws } = await import('./playedAws.ts');
await installManifest('dev/verify/conformance', console.error);
const folder = mkdtempSync(join(tmpdir(), 'flagwire-bench-'));
const table = await TableProcess.start();
const aws = await playAws(table.endpoint, table.tables.flags);
try {
  const environments = new Map<number, Awaited<ReturnType<typeof createEnvironment>>>();
  const starts = new Map<string, (seconds?: number) => Promise<Figures>>();
  for (const [name, [, program, flags, usesSdk]] of Object.entries(STARTS)) {
    const environment = environments.get(flags) ?? (await createEnvironment(flags));
    environments.set(flags, environment);
    const bundle = await bundleProgram(program, join(folder, name), usesSdk);
    starts.set(name, (seconds) => start(program, bundle, environment, seconds));
  }
  const found: Record<string, Figures[]> = {};
  const step = progressOf(options.rounds + WARM_ROUNDS + 1);
  // The first round fills caches of files and of the played AWS, and does not count.
  for (let n = 0; n <= options.rounds; n++) {
    step(`round ${n} of ${options.rounds}`);
    for (const [name, run] of starts) {
      const figures = await run();
      if (n > 0) found[name] = [...(found[name] ?? []), figures];
    }
  }
  const warm: Figures[] = [];
  for (let n = 1; n <= WARM_ROUNDS; n++) {
    step(`evaluations, ${n} of ${WARM_ROUNDS}`);
    warm.push((await starts.get(`provider${WARM_FLAGS}`)?.(WARM_SECONDS)) ?? {});
  }
  const cold = Object.fromEntries(Object.entries(found).map(([name, all]) => [name, medians(all)]));
  const { provider = 0, client = 0 } = medians(warm);
  const head = ['', 'bundle kB', 'load ms', 'CPU ms', 'wall ms', 'RSS MB', 'requests', 'received kB'];
  const rows = (isFunction: boolean) =>
    Object.entries(cold)
      .filter(([name]) => FUNCTIONS.test(name) === isFunction)
      .map(([name, figures]) => [STARTS[name]?.[0] ?? name, ...Object.values(figures)]);
  report(
    [
      { title: 'Cold starts, from import to the first answer', head, rows: rows(false) },
      { title: 'Cold starts of Flagwire’s functions', head, rows: rows(true) },
      {
        title: `Evaluations, ${WARM_FLAGS} flags`,
        head: ['', 'evaluations a core-second'],
        rows: [
          ['provider itself', provider],
          ['through OpenFeature’s client', client],
        ],
      },
    ],
    { starts: cold, evaluations: { provider, client } },
  );
} finally {
  aws.close();
  await table.stop();
  rmSync(folder, { recursive: true });
}

/** Starts an instance, and waits for its end. @param seconds for which it evaluates afterwards */
async function start(
  program: ProgramName,
  { path, bundleKb }: Awaited<ReturnType<typeof bundleProgram>>,
  { keys, ...subject }: Awaited<ReturnType<typeof createEnvironment>>,
  seconds?: number,
): Promise<Figures> {
  const event = EVENTS[program]?.({ ...subject, image: {}, shard: 0, startedAt: Date.now() }, 1) ?? { keys };
  const { PATH, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  // Without NODE_COMPILE_CACHE.
  const given = { PATH, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...aws.environment };
  aws.reset();
  const args = [path, JSON.stringify(event), ...(seconds ? [String(seconds)] : [])];
  const instance = new RunningProcess(ofRepository('loadtest/bench/lambda/coldStart.mjs', args), {
    core: CORE,
    environment: {
      ...given,
      FLAGS_TABLE: table.tables.flags,
      FLAGS_ENVIRONMENT: subject.envId,
      CONNECTIONS_TABLE: table.tables.connections,
      POSTS_PER_SECOND: '1000',
    },
  });
  const code = await instance.ended;
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${instance.output}`);
  return { bundleKb, ...JSON.parse(instance.output.trim().split('\n').at(-1) ?? ''), ...aws.reset() };
}

/** An environment with a stored snapshot. */
async function createEnvironment(flags: number) {
  const client = createDynamoDb();
  const store = openStore({ client, ...table.tables });
  const { environment, secrets } = await store.environments.create(`flags-${flags}`);
  const documents = repeatedFlags(flags);
  await store.documents.import(environment.id, documents);
  await new SnapshotWriter({ client, name: table.tables.flags, effects: systemEffects }).rewrite(environment.id);
  store.close();
  const clientKey = secrets.find(({ record }) => record.type === 'client')?.value ?? '';
  const keys = documents.flatMap((each) => (each.kind === 'flag' ? [each.document.key] : []));
  return { envId: environment.id, clientKey, keys: keys.slice(0, WARM_FLAGS) };
}

function medians(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, round(median(all.map((each) => each[name] ?? Number.NaN)))]));
}
