import { expect, test } from '@jest/globals';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { DueRevocations } from './dueRevocations.ts';

interface Pass {
  readonly envId: string;
  readonly secretId: string;
  readonly pass: number;
}

const effects = testEffects();
useStore(effects);

const revocations = () => new DueRevocations(store.connections.table);

async function take(): Promise<Pass[]> {
  const taken: Pass[] = [];
  await revocations().take(async (each: Pass) => void taken.push(each));
  return taken;
}

test('are taken once they are due, oldest first, and once', async () => {
  const dueAt = effects.now() + 60_000;
  const pass = (n: number): Pass => ({ envId: 'env', secretId: 'secret', pass: n });
  for (const n of [3, 1, 2]) await revocations().store(pass(n), dueAt + n);
  effects.clock.now = dueAt + 2;
  expect(await take()).toEqual([pass(1), pass(2)]);
  expect(await take()).toEqual([]);
  effects.clock.now += 1;
  expect(await take()).toEqual([pass(3)]);
});

test('stay if they cannot be handed over, or if the next pass is stored meanwhile', async () => {
  const first: Pass = { envId: 'env', secretId: 'secret', pass: 1 };
  await revocations().store(first, effects.now());
  const refuse = async () => {
    throw new Error('the queue is down');
  };
  await expect(revocations().take(refuse)).rejects.toThrow('the queue is down');
  await revocations().take(async (each: Pass) => revocations().store({ ...each, pass: 2 }, effects.now() + 1));
  effects.clock.now += 1;
  expect(await take()).toEqual([{ ...first, pass: 2 }]);
});

test('stay if they are stored again meanwhile, by a receiver whose clock is behind', async () => {
  const pass: Pass = { envId: 'env', secretId: 'secret', pass: 3 };
  const dueAt = effects.now();
  await revocations().store(pass, dueAt);
  await revocations().take(async (each: Pass) => revocations().store(each, dueAt));
  expect(await take()).toEqual([pass]);
  expect(await take()).toEqual([]);
});

test('hands over and removes what it has read if a later page fails', async () => {
  const pass = (n: number): Pass => ({ envId: 'env', secretId: `${n}`, pass: n });
  for (const n of [1, 2]) await revocations().store(pass(n), effects.now());
  let queries = 0;
  const { tables } = database.open(effects, async ({ name, input }, send) => {
    if (name === 'Query' && ++queries > 1) throw new Error('the table is down');
    if (name === 'Query') input.Limit = 1;
    return send();
  });
  const early: Pass[] = [];
  const failing = new DueRevocations({ ...store.connections.table, client: tables.client });
  await expect(failing.take(async (each: Pass) => void early.push(each))).rejects.toThrow('the table is down');
  expect(early).toEqual([pass(1)]);
  expect(await take()).toEqual([pass(2)]);
});
