import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import { until } from '../../../shared/testing/until.ts';
import { LimitedLog } from '../../telemetry/limitedLog.ts';
import { type CapturedOutput, captureOutput } from '../../testing/output.ts';
import { LastKnownSecrets } from './lastKnownSecrets.ts';

const HOUR = 3_600_000;
const GRANT: SecretGrant = { envId: 'env', type: 'client' };

let directory: string;
let output: CapturedOutput;
let now: number;
/** The table's content. Undefined while it is unreachable. */
let table: Map<string, SecretGrant> | undefined;
/** What the table's answers wait for. */
let answering: Promise<void>;
/** The timeouts in progress. */
let waits: Set<{ readonly ms: number; readonly act: () => void }>;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-secrets-'));
  now = 1_000 * HOUR;
  table = new Map([['s', GRANT]]);
  [answering, waits] = [Promise.resolve(), new Set()];
  output.clear();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The secrets of one process. */
function open() {
  const kept = new LastKnownSecrets(directory, () => now, new LimitedLog(() => now));
  const secrets = kept.remembering(
    {
      find: async (secret) => {
        await answering;
        if (!table) throw new Error('the table is away');
        const grant = table.get(secret);
        return now >= (grant?.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grant;
      },
    },
    {
      onSilence: (ms, act) => {
        const wait = { ms, act };
        waits.add(wait);
        return () => waits.delete(wait);
      },
    },
  );
  return { kept, find: secrets.find, flushed: () => kept.flushed() };
}

/** Lets a process look up secrets, and ends it. */
async function know(...secrets: string[]): Promise<void> {
  const { find, flushed } = open();
  for (const secret of secrets) await find(secret);
  await flushed();
}

describe('secrets while the table is away', () => {
  test('open what they opened last, and unknown ones are not refused', async () => {
    await know('s', 'never issued');
    table = undefined;
    const { find } = open();
    expect(await find('s')).toEqual(GRANT);
    await expect(find('never issued')).rejects.toThrow('the table is away');
  });

  test('are refused after an end that was set before', async () => {
    table?.set('s', { ...GRANT, revokedAt: now + HOUR });
    await know('s');
    table = undefined;
    const { find } = open();
    now += HOUR - 1;
    expect(await find('s')).toMatchObject(GRANT);
    now += 1;
    expect(await find('s')).toBeUndefined();
    expect(await open().find('s')).toBeUndefined();
  });

  test('are known if another process has learnt them', async () => {
    const { find } = open();
    await know('s');
    table = undefined;
    expect(await find('s')).toEqual(GRANT);
  });
});

describe('secrets while the table hangs', () => {
  /** Lets the only timeout in progress end. @returns its length in milliseconds */
  async function timeOut(): Promise<number> {
    await until(() => waits.size === 1);
    const [{ ms, act } = { ms: 0, act: () => {} }] = waits;
    act();
    return ms;
  }

  /** Looks up a secret that the table answers in time. @returns the length of the timeout */
  async function answeredAfter(find: (secret: string) => Promise<unknown>): Promise<number | undefined> {
    const slow = Promise.withResolvers<void>();
    answering = slow.promise;
    const found = find('s');
    await until(() => waits.size === 1);
    const [wait] = waits;
    slow.resolve();
    await found;
    return wait?.ms;
  }

  test('open what they opened last after 3 s at first, and later ones within 50 ms', async () => {
    await know('s', 't');
    const { find, kept } = open();
    expect(kept.isTableLate).toBe(false);
    const hanging = Promise.withResolvers<void>();
    answering = hanging.promise;
    for (const ms of [3_000, 50, 50]) {
      const found = find('s');
      expect(await timeOut()).toBe(ms);
      expect(await found).toEqual(GRANT);
      expect(kept.isTableLate).toBe(true);
    }
    hanging.resolve();
    await turn();
    expect(kept.isTableLate).toBe(false);
    expect(await answeredAfter(find)).toBe(1_000);
    expect(waits.size).toBe(0);
  });

  test('have a second again after one that the table answers in time', async () => {
    await know('s');
    const { find } = open();
    answering = new Promise(() => {});
    const late = find('s');
    await timeOut();
    await late;
    // A cached one is there at once, and the table may still hang.
    answering = Promise.resolve();
    await find('s');
    expect(await answeredAfter(find)).toBe(50);
    expect(await answeredAfter(find)).toBe(1_000);
  });

  test('wait for the table if nothing is saved of them', async () => {
    const { find } = open();
    const hanging = Promise.withResolvers<void>();
    answering = hanging.promise;
    const found = find('s');
    await timeOut();
    hanging.resolve();
    expect(await found).toEqual(GRANT);
  });
});

describe('the file of secrets', () => {
  const files = () => readdirSync(directory).length;

  test('forgets a secret that the table no longer has', async () => {
    await know('s');
    expect(files()).toBe(1);
    table?.clear();
    await know('s');
    expect(files()).toBe(0);
  });

  test('forgets the secrets of a deleted environment', async () => {
    table?.set('t', { envId: 'other', type: 'server' });
    await know('s', 't');
    const { kept } = open();
    expect(kept.environments.toSorted()).toEqual(['env', 'other']);
    kept.forgetEnvironment('env');
    await kept.flushed();
    expect(open().kept.environments).toEqual(['other']);
  });

  test('forgets a secret that the table has not confirmed for 30 days; a use confirms it', async () => {
    table?.set('unused', GRANT);
    await know('s', 'unused');
    now += 29 * 24 * HOUR;
    await know('s');
    now += 2 * 24 * HOUR;
    await open().flushed();
    expect(files()).toBe(1);
    table = undefined;
    expect(await open().find('s')).toEqual(GRANT);
  });

  test('keeps 1,000 secrets at most, without those confirmed longest ago', async () => {
    for (let n = 0; n < 1_000; n++) {
      const content = { ...GRANT, confirmedAt: now - 1_000 + n };
      writeFileSync(join(directory, `${String((n * 7) % 1_000).padStart(5, '0')}.json`), JSON.stringify(content));
    }
    await know('s');
    expect(files()).toBe(1_000);
    const [first, second] = readdirSync(directory).toSorted();
    expect([first, second]).toEqual(['00001.json', '00002.json']);
  });

  test('holds no secret, and is written once an hour without a change', async () => {
    const { find, flushed } = open();
    const written = async () => {
      await find('s');
      await flushed();
      const [name = ''] = readdirSync(directory);
      expect(name).toMatch(/^[0-9a-f]{64}[.]json$/);
      return JSON.parse(readFileSync(join(directory, name), 'utf8'));
    };
    const first = await written();
    expect(first).toEqual({ ...GRANT, confirmedAt: now });
    now += HOUR - 1;
    expect(await written()).toEqual(first);
    now += 1;
    expect(await written()).toEqual({ ...GRANT, confirmedAt: now });
    table?.set('s', { ...GRANT, revokedAt: now + HOUR });
    expect(await written()).toMatchObject({ revokedAt: now + HOUR });
  });
});

test('a disk that takes nothing changes no answer', async () => {
  const { find, flushed } = open();
  rmSync(directory, { recursive: true });
  expect(await find('s')).toEqual(GRANT);
  table?.clear();
  expect(await find('s')).toBeUndefined();
  table = undefined;
  await expect(find('s')).rejects.toThrow('the table is away');
  await flushed();
});
