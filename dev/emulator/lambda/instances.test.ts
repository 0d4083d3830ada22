import { afterEach, describe, expect, test } from '@jest/globals';
import { Identities } from '../iam/identities.ts';
import { functionDefinition } from '../testing/functions.ts';
import { release, whenHeld } from '../testing/held.ts';
import { manualClock } from '../testing/manualClock.ts';
import { createFunctionRegistry } from './registry.ts';

afterEach(release);

/** A function that says which instance answers. */
async function startFunction(options: { maxInstances?: number; coldStartMs?: number; callVcpuMs?: number } = {}) {
  const clock = manualClock();
  const entry = 'dev/emulator/testing/handlers/instance.ts';
  const definition = functionDefinition('F', { entry, timeoutMs: 5_000, memoryMb: 1_769 / 4 });
  const settings = { concurrentExecutions: 100, maxInstances: 2, ...options };
  const deps = { clock, log: () => {}, identities: new Identities() };
  const registry = createFunctionRegistry([definition], { ...deps, ...settings });
  await registry.load();
  const call = async (event: object = {}) => {
    const result = await registry.invoke('F', event);
    if (!result.ok) throw new Error(result.errorType);
    return result.payload as { id: string; calls: number };
  };
  return { clock, registry, call };
}

describe('instances of a function', () => {
  test('are one while calls come one after another, each with the state that the last has left', async () => {
    const { call } = await startFunction();
    const [first, second] = [await call(), await call()];
    expect(first.id).toBe(second.id);
    expect([first.calls, second.calls]).toEqual([1, 2]);
  });

  test('handle one call at a time, up to the most there may be; further calls go to the one with the fewest', async () => {
    const { call } = await startFunction();
    const waiting = [call({ do: 'wait' }), call({ do: 'wait' }), call({ do: 'wait' })];
    await whenHeld(3);
    const fourth = call({ do: 'wait' });
    await whenHeld(4);
    release();
    const answers = await Promise.all([...waiting, fourth]);
    const ids = answers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.filter((id) => id === ids[0])).toHaveLength(2);
  });

  test('are taken in turn, so that none stays the warmest', async () => {
    const { call } = await startFunction();
    const both = [call({ do: 'wait' }), call({ do: 'wait' })];
    await whenHeld(2);
    release();
    await Promise.all(both);
    const ids = [await call(), await call(), await call()].map(({ id }) => id);
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids[0]).toBe(ids[2]);
  });

  test('end with a call that uses up its time, and another takes their place', async () => {
    const { call, clock } = await startFunction({ maxInstances: 1 });
    const { id } = await call();
    const late = call({ do: 'hang' }).catch((error: Error) => error.message);
    clock.advance(5_000);
    expect(await late).toBe('Sandbox.Timedout');
    const next = await call();
    expect(next.calls).toBe(1);
    expect(next.id).not.toBe(id);
  });
});

describe('where a test asks for it', () => {
  test('the first call of an instance takes a cold start, which its timeout does not count', async () => {
    const { call, clock } = await startFunction({ coldStartMs: 6_000 });
    const done: string[] = [];
    const first = call().then(() => done.push('first'));
    clock.advance(5_999);
    await Promise.resolve();
    expect(done).toEqual([]);
    clock.advance(1);
    await first;
    await call();
  });

  test('calls that share an instance wait for its start', async () => {
    const { call, clock } = await startFunction({ coldStartMs: 1_000, maxInstances: 1 });
    const done: string[] = [];
    const both = ['first', 'second'].map((name) => call().then(() => done.push(name)));
    clock.advance(999);
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    clock.advance(1);
    await Promise.all(both);
  });

  test('a call takes longer by the share of a processor that its memory gives', async () => {
    const { call, clock } = await startFunction({ callVcpuMs: 100 });
    const taken: number[] = [];
    const before = clock.now();
    const answered = call().then(() => taken.push(clock.now() - before));
    for (let n = 0; n < 8; n += 1) clock.advance(50);
    await answered;
    expect(taken).toEqual([400]);
    const late = call().catch((error: Error) => error.message);
    expect(await Promise.race([late, 'waits'])).toBe('waits');
    clock.advance(400);
    expect(await late).toMatchObject({ calls: 2 });
  });
});
