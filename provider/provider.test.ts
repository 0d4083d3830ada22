import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, OpenFeature, ProviderEvents } from '@openfeature/server-sdk';
import type { Flag } from '../shared/flags/flag.ts';
import { SnapshotWriter } from '../shared/store/snapshots/snapshotWriter.ts';
import { database, store, useStore } from '../shared/store/testing/testStore.ts';
import { type Intercept, testSystemEffects, writeUnchecked } from '../shared/store/testing/testTables.ts';
import { Usage } from '../shared/store/usage/usage.ts';
import { aCondition, aFlag, aRule } from '../shared/testing/builders.ts';
import type { FlagwireProviderOptions } from './options.ts';
import { FlagwireProvider } from './provider.ts';
import { type ManualClock, manualClock, settle } from './testing/clock.ts';

useStore(testSystemEffects);

let envId: string;
let clock: ManualClock;
let client: Client;
let provider: FlagwireProvider;
let lines: string[] = [];
let calls: string[] = [];
let events: string[] = [];
/** What the table does with requests. */
let manner: 'answers' | 'refuses' | 'is silent' = 'answers';
let refusal: Error;
/** Replaces the table's answer. */
let answer: Intercept = (_, send) => send();
let env: NodeJS.ProcessEnv = {};

const logger = { error: () => {}, warn: (line: string) => lines.push(line), info: () => {}, debug: () => {} };
const put = (key: string, fields: Parameters<typeof aFlag>[0] = {}) =>
  store.documents.writeFlag(envId, key, () => aFlag({ key, ...fields }));

const intercept: Intercept = async ({ name, input }, send) => {
  calls.push(name);
  if (manner === 'refuses') throw refusal;
  if (manner === 'is silent') return new Promise(() => {});
  return answer({ name, input }, send);
};

beforeEach(async () => {
  envId = (await store.environments.create(`env ${store.effects.uuid()}`)).environment.id;
  clock = manualClock();
  [lines, calls, events, env] = [[], [], [], {}];
  manner = 'answers';
  answer = (_, send) => send();
  refusal = Object.assign(new Error('the table is away'), { name: 'TimeoutError' });
});
afterEach(() => OpenFeature.clearProviders());

/** Creates a provider and starts it. */
async function start(options: FlagwireProviderOptions = {}): Promise<void> {
  const { tables } = database.open(clock, intercept);
  const deps = { effects: clock, client: tables.client, env: { AWS_REGION: 'us-east-1', ...env } };
  provider = new FlagwireProvider({ table: tables.flags, environment: envId, logger, deps, ...options });
  for (const event of [ProviderEvents.Stale, ProviderEvents.Ready, ProviderEvents.ConfigurationChanged])
    provider.events.addHandler(event, (details) => {
      events.push([event, ...((details?.['flagsChanged'] ?? []) as string[])].join(' '));
    });
  client = OpenFeature.getClient(envId);
  await OpenFeature.setProviderAndWait(envId, provider);
}

const isOn = (key = 'f', context = {}) => client.getBooleanDetails(key, false, context);
const seen = async (key = 'f') => {
  const { value, flagMetadata } = await isOn(key);
  return [value, flagMetadata['stale'] ?? 'fresh'];
};

describe('a start', () => {
  test('takes three requests with a stored snapshot, and one per 5 seconds after it', async () => {
    await put('f');
    const { client: writer, flags: name } = store.tables;
    await new SnapshotWriter({ client: writer, name, effects: store.effects }).rewrite(envId);
    await start();
    expect(calls.sort()).toEqual(['GetItem', 'GetItem', 'Query']);
    for (let n = 0; n < 10; n += 1) {
      expect(await seen()).toEqual([true, 'fresh']);
      await clock.pass(1_000);
    }
    expect(calls).toHaveLength(4);
  });

  test('leaves the default in the code after a failure, until an evaluation reads', async () => {
    await put('f');
    [manner, refusal] = ['refuses', Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })];
    const started = start();
    void started.catch(() => {});
    await clock.pass(3_000);
    await expect(started).rejects.toThrow('not authorized');
    expect(client.providerStatus).toBe('ERROR');
    expect(await isOn()).toMatchObject({ value: false, errorCode: 'PROVIDER_NOT_READY' });
    manner = 'answers';
    await clock.pass(15_000);
    expect(await isOn()).toMatchObject({ value: true });
    expect([client.providerStatus, events]).toEqual(['READY', ['PROVIDER_READY']]);
  });

  test('without an answer fails after 3 seconds', async () => {
    manner = 'is silent';
    const started = start();
    void started.catch(() => {});
    await clock.pass(3_000);
    await expect(started).rejects.toThrow('the flags table did not answer within 3 seconds');
  });

  test('tries again when the table comes back within 3 seconds', async () => {
    await put('f');
    manner = 'refuses';
    const started = start();
    await clock.pass(100);
    manner = 'answers';
    await clock.pass(1_000);
    await started;
    expect([await seen(), lines, events]).toEqual([[true, 'fresh'], [], []]);
  });

  test('in an environment that does not exist fails, until it exists', async () => {
    await expect(start({ environment: 'b3a0c6c2-0000-4000-8000-00000000000e' })).rejects.toThrow(
      'there is no environment',
    );
    expect(client.providerStatus).toBe('ERROR');
  });

  test('with a missing variable is fatal', async () => {
    await expect(start({ table: '' })).rejects.toThrow('FLAGS_TABLE is not set');
    expect([client.providerStatus, (await isOn()).errorCode]).toEqual(['FATAL', 'PROVIDER_FATAL']);
  });
});

describe('a change', () => {
  beforeEach(async () => {
    await put('f');
    await put('g');
    await start();
  });

  test('is used within 5 seconds, and announced', async () => {
    await put('f', { isEnabled: false });
    expect(await seen()).toEqual([true, 'fresh']);
    await clock.pass(5_001);
    expect(await seen()).toEqual([false, 'fresh']);
    expect(events).toEqual(['PROVIDER_CONFIGURATION_CHANGED f']);
  });

  test('is not seen while the table is away, and answers say so', async () => {
    await put('f', { isEnabled: false });
    await clock.pass(5_001);
    manner = 'refuses';
    for (let n = 0; n < 5; n += 1) {
      expect(await seen()).toEqual([true, true]);
      await clock.pass(1_000);
    }
    expect([client.providerStatus, events]).toEqual(['STALE', ['PROVIDER_STALE']]);
    manner = 'answers';
    await clock.pass(15_000);
    expect(await seen()).toEqual([false, 'fresh']);
    expect([client.providerStatus, lines]).toEqual([
      'READY',
      [
        'flagwire: the flags table cannot be read, so flags stay as they were: the table is away',
        'flagwire: the flags table can be read again',
      ],
    ]);
  });

  test('is not seen while the table is silent, which delays an evaluation by 250 ms, once', async () => {
    await clock.pass(5_001);
    manner = 'is silent';
    const asked = seen();
    await clock.pass(250);
    expect(await asked).toEqual([true, true]);
    expect(await seen()).toEqual([true, true]);
  });
});

describe('a provider that is consistent', () => {
  const invocations = async (variables: NodeJS.ProcessEnv) => {
    await put('f');
    env = { ...variables };
    const shared: NodeJS.ProcessEnv = { AWS_REGION: 'us-east-1', ...env };
    const { tables } = database.open(clock, intercept);
    await start({ consistent: true, deps: { effects: clock, client: tables.client, env: shared } });
    calls = [];
    for (let n = 0; n < 20; n += 1) {
      shared['_X_AMZN_TRACE_ID'] = `Root=${n}`;
      for (let evaluation = 0; evaluation < 10; evaluation += 1) await isOn();
    }
    return calls.length;
  };

  test('reads the version once in each invocation', async () => {
    expect(await invocations({ AWS_LAMBDA_FUNCTION_NAME: 'f' })).toBe(20);
  });

  test.each([{}, { AWS_LAMBDA_FUNCTION_NAME: 'f', AWS_LAMBDA_MAX_CONCURRENCY: '10' }])(
    'reads the version in each evaluation with %j',
    async (variables) => {
      expect(await invocations(variables)).toBe(200);
    },
  );
});

describe('flags do not go back', () => {
  test('if a later read looks at the version before an earlier one', async () => {
    await put('f');
    await start({ consistent: true });
    // From now on, the journal has what was changed.
    await clock.pass(1_001);
    await seen();
    const waits: (() => void)[] = [];
    const released = () => new Promise<void>((resolve) => waits.push(resolve));
    answer = async (_, send) => {
      await released();
      const result = await send();
      await released();
      return result;
    };
    /** Lets a request go on to its next wait, which is the last in the list. */
    const step = async (index: number) => {
      const count = waits.length;
      waits.splice(index, 1)[0]?.();
      while (waits.length < count) await settle();
    };
    const [first, second] = [seen(), seen()];
    while (waits.length < 2) await settle();
    await put('f', { isEnabled: false });
    // The second read sees this version, and waits for its journal.
    for (const index of [1, 1]) await step(index);
    await put('f');
    for (const index of [0, 1, 1]) await step(index);
    waits.pop()?.();
    expect(await first).toEqual([true, 'fresh']);
    await step(0);
    waits.pop()?.();
    expect(await second).toEqual([true, 'fresh']);
  });

  test('to another copy of the version, except to that of a restored table after a second', async () => {
    const old = new Map<string, unknown>();
    answer = async ({ input }, send) => {
      const result = await send();
      old.set(JSON.stringify(input), result);
      return result;
    };
    clock.random = () => 0;
    await put('f');
    await start({ consistent: true });
    answer = (_, send) => send();
    await put('f', { isEnabled: false });
    expect(await seen()).toEqual([false, 'fresh']);
    answer = async ({ input }, send) => old.get(JSON.stringify(input)) ?? send();
    await clock.pass(1_000);
    expect(await seen()).toEqual([false, 'fresh']);
    await clock.pass(1);
    expect(await seen()).toEqual([true, 'fresh']);
  });
});

describe('a default in the code', () => {
  test('has one line for each flag', async () => {
    await put('f');
    await put('text', { variationType: 'string' });
    await writeUnchecked(store, envId, {
      kind: 'flag',
      document: aFlag({
        key: 'bad',
        variations: [
          { id: 'on', name: '', value: 'x' },
          { id: 'off', name: '', value: 'false' },
        ],
      }),
    });
    await writeUnchecked(store, envId, { kind: 'flag', document: { key: 'broken' } as Flag });
    await start();
    for (let n = 0; n < 2; n += 1) for (const key of ['none', 'text', 'bad', 'broken', 'f']) await isOn(key);
    expect(await isOn('broken')).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' });
    expect(lines).toEqual([
      'flagwire: there is no flag "none"; the default in the code is used',
      'flagwire: flag "text" has a value of type string, not boolean; the default in the code is used',
      'flagwire: the value of variation "on" is not of the flag\'s type, boolean; the default in the code is used',
      expect.stringMatching(/^flagwire: flag "broken" cannot be read: /),
    ]);
  });

  test('has at most 1,000 lines', async () => {
    await start();
    for (let n = 0; n < 1_100; n += 1) await isOn(`none-${n}`);
    expect(lines).toHaveLength(1_000);
  });

  test('is not logged for a missing targeting key', async () => {
    await put('f', { rules: [aRule([aCondition('keyId', 'Equal', 'u1')])] });
    await start();
    expect(await isOn()).toMatchObject({ errorCode: 'TARGETING_KEY_MISSING' });
    expect(lines).toEqual([]);
  });
});

test('a value has its variation, its reason, and the metadata of OFREP', async () => {
  await put('f', { rules: [aRule([aCondition('plan', 'MatchRegex', '^p')])] });
  await start();
  expect(await isOn('f', { targetingKey: 'u1', plan: 'pro' })).toMatchObject({
    value: false,
    variant: 'off',
    reason: 'TARGETING_MATCH',
    flagMetadata: { variationName: 'Off', matchReason: 'Rule 1', sendToExperiment: true, version: expect.any(String) },
  });
  expect(await isOn('f', { targetingKey: 'u1', plan: 'free' })).toMatchObject({ value: true, reason: 'DEFAULT' });
});

test('a number with more digits than a double has them in its metadata', async () => {
  const value = '12345678901234567890';
  await put('n', {
    variationType: 'number',
    variations: [
      { id: 'on', name: '', value },
      { id: 'off', name: '', value: '1' },
    ],
  });
  await start();
  for (let n = 0; n < 2; n += 1)
    expect(await client.getNumberDetails('n', 0)).toMatchObject({
      value: 12345678901234567000,
      flagMetadata: { exactValue: value },
    });
  expect(lines).toEqual([expect.stringContaining(`flag "n" has numbers with more digits than JavaScript's: ${value}`)]);
});

test('an object belongs to its caller, who may change it', async () => {
  const variations = [
    { id: 'on', name: '', value: '{"a":[1]}' },
    { id: 'off', name: '', value: '{}' },
  ];
  await put('o', { variationType: 'json', variations });
  await start();
  const get = () => client.getObjectValue('o', {}) as Promise<{ a: number[] }>;
  (await get()).a.push(2);
  expect(await get()).toEqual({ a: [1] });
});

test('track warns once', async () => {
  await start();
  for (let n = 0; n < 2; n += 1) client.track('bought');
  expect(lines).toEqual(['flagwire: track() does nothing: the provider sends no events']);
});

test('a large environment is reported once', async () => {
  const name = 'x'.repeat(350_000);
  for (let n = 0; n < 100; n += 1)
    await writeUnchecked(store, envId, { kind: 'flag', document: aFlag({ key: `f${n}`, description: name }) });
  await start();
  expect(lines).toEqual([
    'flagwire: the flags of the environment take more than 32 MB of memory; split the environment',
  ]);
});

describe('counts of evaluations', () => {
  const hours = async () => {
    const { tables } = store;
    const usage = new Usage({ client: tables.client, name: tables.usage, effects: clock });
    return (await Array.fromAsync(usage.hours(envId, 'f', 0))).map(({ counts }) => Object.fromEntries(counts));
  };

  test('are written with a read after 60 seconds, and at the close', async () => {
    await put('f');
    await start({ usageTable: store.tables.usage });
    await isOn();
    await clock.pass(30_000);
    await isOn();
    expect(await hours()).toEqual([]);
    await clock.pass(30_001);
    await isOn();
    expect(await hours()).toEqual([{ on: 2 }]);
    await isOn();
    await provider.onClose();
    expect(await hours()).toEqual([{ on: 4 }]);
  });

  test('are waited for at the close while a read writes them', async () => {
    await put('f');
    await put('g', { rules: [aRule([aCondition('keyId', 'Equal', 'u1')])] });
    await start({ usageTable: store.tables.usage });
    await isOn();
    await clock.pass(60_001);
    const released: (() => void)[] = [];
    answer = async ({ name }, send) => {
      if (name === 'UpdateItem') await new Promise<void>((resolve) => released.push(resolve));
      return send();
    };
    // This evaluation is not counted.
    const asked = isOn('g');
    await clock.pass(250);
    await asked;
    let isClosed = false;
    const closed = provider.onClose().then(() => {
      isClosed = true;
    });
    await clock.pass(0);
    expect([released.length > 0, isClosed]).toEqual([true, false]);
    answer = (_, send) => send();
    for (const release of released) release();
    await closed;
    expect(await hours()).toEqual([{ on: 1 }]);
  });

  test('are reported with the reason if they cannot be written', async () => {
    await put('f');
    await start({ usageTable: store.tables.usage });
    await isOn();
    [manner, refusal] = ['refuses', Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })];
    await provider.onClose();
    expect(lines.sort()).toEqual([
      'flagwire: start of usage counts not recorded, will be retried: not authorized',
      'flagwire: usage counts dropped: AccessDeniedException: not authorized',
    ]);
  });
});
