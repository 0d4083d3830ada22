import { describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../protocol/secret.ts';
import { openStore } from '../store.ts';
import type { SdkClient } from '../table/table.ts';
import { testEffects } from '../testing/testTables.ts';
import { SECRET_CACHE_MS, SecretCache } from './secretCache.ts';

const ENV = 'ad99d259-1f50-4ed9-a002-7c65e25487df';
const secretNumber = (n: number) => formatSecret(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, ENV);

/** A cache with this lookup result, which may change or be an error. */
function cacheOver(answer: { item?: Record<string, { S: string }> | undefined; error?: Error }) {
  const effects = testEffects();
  const counter = { reads: 0 };
  const client = {
    getItem: async () => {
      counter.reads++;
      if (answer.error) throw answer.error;
      return { Item: answer.item };
    },
  };
  const store = openStore({ client: client as unknown as SdkClient, flags: 'Flags' }, effects);
  return { cache: new SecretCache(store), clock: effects.clock, counter };
}

const item = (revokedAt?: number) => ({
  envId: { S: ENV },
  type: { S: 'client' },
  ...(revokedAt === undefined ? {} : { revokedAt: { S: new Date(revokedAt).toISOString() } }),
});

describe('the look-up of a secret', () => {
  test('is read once within its time, and again after it', async () => {
    const { cache, clock, counter } = cacheOver({ item: item() });
    for (let n = 0; n < 5; n++) expect(await cache.find(secretNumber(1))).toEqual({ envId: ENV, type: 'client' });
    clock.now += SECRET_CACHE_MS - 1;
    await cache.find(secretNumber(1));
    expect(counter.reads).toBe(1);
    clock.now += 1;
    await cache.find(secretNumber(1));
    expect(counter.reads).toBe(2);
  });

  test('is read again when the clock has been set back', async () => {
    const { cache, clock, counter } = cacheOver({ item: item() });
    await cache.find(secretNumber(1));
    clock.now -= 3_600_000;
    await cache.find(secretNumber(1));
    expect(counter.reads).toBe(2);
  });

  test('is read once for many that ask at the same time', async () => {
    const { cache, counter } = cacheOver({ item: item() });
    await Promise.all(Array.from({ length: 20 }, () => cache.find(secretNumber(1))));
    expect(counter.reads).toBe(1);
  });

  test('is refused within that time after it was revoked', async () => {
    const answer: Parameters<typeof cacheOver>[0] = { item: item() };
    const { cache, clock } = cacheOver(answer);
    await cache.find(secretNumber(1));
    answer.item = item(clock.now);
    clock.now += SECRET_CACHE_MS;
    expect(await cache.find(secretNumber(1))).toBeUndefined();
  });

  test('ends at the moment it is to end, also from memory', async () => {
    const { cache, clock, counter } = cacheOver({ item: item(testEffects().now() + 1_000) });
    expect(await cache.find(secretNumber(1))).toMatchObject({ type: 'client' });
    clock.now += 999;
    expect(await cache.find(secretNumber(1))).toMatchObject({ type: 'client' });
    clock.now += 1;
    expect(await cache.find(secretNumber(1))).toBeUndefined();
    expect(counter.reads).toBe(1);
  });
});

describe('a secret that opens nothing', () => {
  test.each([
    ['never issued', undefined],
    ['of an unknown type', { envId: { S: ENV }, type: { S: 'relay' } }],
    ['of no environment', { type: { S: 'client' } }],
  ])('%s is remembered too', async (_, broken) => {
    const { cache, clock, counter } = cacheOver({ item: broken as never });
    for (let n = 0; n < 5; n++) expect(await cache.find(secretNumber(1))).toBeUndefined();
    expect(counter.reads).toBe(1);
    clock.now += SECRET_CACHE_MS;
    await cache.find(secretNumber(1));
    expect(counter.reads).toBe(2);
  });

  test('pushes others out of memory only after ten thousand', async () => {
    const { cache, counter } = cacheOver({});
    await cache.find(secretNumber(0));
    for (let n = 1; n < 10_000; n++) await cache.find(secretNumber(n));
    await cache.find(secretNumber(0));
    expect(counter.reads).toBe(10_000);
    await cache.find(secretNumber(10_000));
    await cache.find(secretNumber(0));
    expect(counter.reads).toBe(10_002);
  });
});

describe('a table that does not answer', () => {
  test('is an error, for all who wait for it, and is asked again by the next', async () => {
    const answer: Parameters<typeof cacheOver>[0] = { error: new Error('throttled') };
    const { cache, counter } = cacheOver(answer);
    const asked = await Promise.allSettled([cache.find(secretNumber(1)), cache.find(secretNumber(1))]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(cache.find(secretNumber(1))).rejects.toThrow('throttled');
    expect(counter.reads).toBe(2);

    answer.item = item();
    delete answer.error;
    expect(await cache.find(secretNumber(1))).toMatchObject({ envId: ENV });
  });

  test('does not make a later answer be forgotten', async () => {
    const effects = testEffects();
    const answers: (() => Promise<unknown>)[] = [];
    let fail: (error: Error) => void = () => {};
    answers.push(() => new Promise((_, reject) => (fail = reject)));
    answers.push(async () => ({ Item: item() }));
    let reads = 0;
    const client = { getItem: () => answers[reads++]?.() } as unknown as SdkClient;
    const store = openStore({ client, flags: 'Flags' }, effects);
    const cache = new SecretCache(store);
    const slow = cache.find(secretNumber(1));
    effects.clock.now += SECRET_CACHE_MS;
    await cache.find(secretNumber(1));
    fail(new Error('timed out'));
    await expect(slow).rejects.toThrow('timed out');
    await cache.find(secretNumber(1));
    expect(reads).toBe(2);
  });
});
