import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { SnapshotWriter } from '../../../shared/store/snapshots/snapshotWriter.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { aFlag, aRollout, share } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import { openTables } from '../conformance/target.ts';
import { Random } from '../torture/random.ts';
import { TableProcess } from '../torture/tableProcess.ts';
import { FaultyTable, TABLE_FAULTS } from './testing/faultyTable.ts';
import type { ProviderRequests } from './testing/providerInstance.ts';

/** The number of faults, and the seed of their kinds and times. Each night has more of them. */
const { PROVIDER_FAULTS = '30', PROVIDER_SEED = '1' } = process.env;
const FAULTS = Number(PROVIDER_FAULTS);
const SEED = Number(PROVIDER_SEED);

jest.setTimeout(60_000 + FAULTS * 1_000);

/** What happens to the process of the provider. */
const PROCESS_FAULTS = ['kill', 'freeze', 'clock'] as const;
const FAULT_MS = [50, 900] as const;
const BETWEEN_MS = [50, 400] as const;
const MAX_AGE_MS = 300;
const ASKERS = 3;
/** Writes between two rewrites of the snapshot. */
const REWRITE_EVERY = 20;
const KEY = 'counter';

let table: TableProcess;
let faulty: FaultyTable;
beforeAll(async () => {
  table = await TableProcess.start();
  faulty = new FaultyTable(table.endpoint, new Random(SEED, 4));
  await faulty.open();
});
afterAll(async () => {
  faulty.close();
  await table.stop();
});

/** A process with the provider. It stands for one instance of a function. */
class Instance extends RunningProcess {
  /** The newest value that it has given. */
  seen = -1;
  readonly ask = this.requests<ProviderRequests>();

  constructor(envId: string) {
    const environment = cleanEnvironment({
      AWS_REGION: process.env['AWS_REGION'],
      AWS_ENDPOINT_URL_DYNAMODB: faulty.url,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${faulty.url}/credentials`,
      FLAGS_TABLE: table.tables.flags,
      FLAGS_ENVIRONMENT: envId,
    });
    super(ofRepository('dev/verify/faults/testing/providerInstance.ts'), {
      environment,
      stdout: 'ignore',
      hasIpc: true,
    });
  }

  /** Creates the provider, and waits for its start, which may fail. */
  open(): Promise<void> {
    return this.ask('open', { maxAgeSeconds: MAX_AGE_MS / 1_000 });
  }
}

test(`the provider gives no old value unmarked, and none older than before, in ${FAULTS} faults (seed ${PROVIDER_SEED})`, async () => {
  const { store } = openTables(table.tables, '');
  const { environment } = await store.environments.create('faults');
  const snapshots = new SnapshotWriter({ client: createDynamoDb(), name: table.tables.flags, effects: systemEffects });
  const written: { readonly value: number; readonly at: number }[] = [];
  const write = async () => {
    const value = written.length;
    await store.documents.writeFlag(environment.id, KEY, () => flagOf(value));
    written.push({ value, at: performance.now() });
    if (written.length % REWRITE_EVERY === 1) await snapshots.rewrite(environment.id);
  };
  await write();
  const isOver = new AbortController();
  const problems: string[] = [];
  const counts = { fresh: 0, stale: 0, faults: 0 };
  let instance = new Instance(environment.id);
  await instance.open();

  const evaluate = async () => {
    const { ask, seen } = instance;
    const asked = instance;
    const before = performance.now() - MAX_AGE_MS;
    const least = written.findLast(({ at }) => at <= before)?.value ?? -1;
    const { value, isStale = false } = await ask('evaluate', KEY);
    if (value === undefined) {
      if (seen >= 0) problems.push(`no value after ${seen}`);
      return false;
    }
    const found = Number(value);
    if (found < seen) problems.push(`${found} after ${seen}`);
    if (!isStale && found < least) problems.push(`${found} unmarked, although ${least} was ${MAX_AGE_MS} ms old`);
    counts[isStale ? 'stale' : 'fresh']++;
    asked.seen = Math.max(asked.seen, found);
    return !isStale;
  };
  const repeat = async (step: () => Promise<unknown>, random: Random) => {
    while (!isOver.signal.aborted) {
      // A process that is killed does not answer.
      await step().catch(() => sleep(20));
      await sleep(random.between(1, 30));
    }
  };
  const work = [
    repeat(write, new Random(SEED, 1)),
    ...Array.from({ length: ASKERS }, (_, n) => repeat(evaluate, new Random(SEED, 10 + n))),
  ];

  // On a busy machine, faults may pass while a process starts.
  const areFelt = () => Math.min(counts.fresh, counts.stale) > FAULTS / 2;
  const injectFaults = async (random: Random, inject: (lasting: () => Promise<void>) => Promise<void>) => {
    while (counts.faults < FAULTS || !areFelt()) {
      await sleep(random.between(...BETWEEN_MS));
      counts.faults++;
      await inject(() => sleep(random.between(...FAULT_MS)));
    }
  };
  const tableFaults = new Random(SEED, 2);
  const processFaults = new Random(SEED, 3);
  await Promise.all([
    injectFaults(tableFaults, async (lasting) => {
      faulty.begin(tableFaults.pick(TABLE_FAULTS));
      await lasting();
      faulty.stop();
    }),
    injectFaults(processFaults, async (lasting) => {
      const fault = processFaults.pick(PROCESS_FAULTS);
      if (fault === 'kill') {
        // Nobody asks the old one while it ends.
        const killed = instance;
        instance = new Instance(environment.id);
        await killed.stop('SIGKILL');
        await instance.open();
      } else if (fault === 'clock') {
        await instance.ask('shiftClock', processFaults.between(-3_600_000, 3_600_000));
      } else process.kill(instance.pid, 'SIGSTOP');
      await lasting();
      if (fault === 'clock') await instance.ask('shiftClock', 0);
      if (fault !== 'freeze') return;
      if (processFaults.chance(0.5)) faulty.closeConnections();
      process.kill(instance.pid, 'SIGCONT');
    }),
  ]);
  await until(() => evaluate());
  isOver.abort();
  await Promise.all(work);
  await instance.stop();
  expect({ problems: problems.length, examples: problems.slice(0, 10), ...counts }).toEqual({
    problems: 0,
    examples: [],
    faults: expect.any(Number),
    fresh: expect.any(Number),
    stale: expect.any(Number),
  });
});

function flagOf(value: number) {
  return aFlag({
    key: KEY,
    name: KEY,
    variationType: 'string',
    variations: [{ id: 'value', name: 'value', value: String(value) }],
    isEnabled: true,
    disabledVariationId: 'value',
    fallthrough: aRollout(share('value')),
  });
}
