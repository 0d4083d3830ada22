import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import { IN_SEGMENT } from '../../shared/flags/rule.ts';
import type { Registration } from '../../shared/store/connections/connection.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { type Key, keys } from '../../shared/store/table/keys.ts';
import { beginAnswer, connect } from '../../shared/store/testing/connect.ts';
import { type Intercept, writeUnchecked } from '../../shared/store/testing/testTables.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../../shared/testing/builders.ts';
import { createPace, type Pace, paced } from '../gateway/pace.ts';
import { database, output, sender, service, useService } from '../testing/fixture.ts';
import { aService, idsInShard, pushMessage, queueRecord, snapshotsOf } from '../testing/service.ts';
import { createDeliver } from './deliver.ts';

const SHARD = 5;
const [A, B] = idsInShard(SHARD, 2) as [string, string];
useService();
/** Receipts of messages that the queue was told to hand in again, and after how many seconds. */
let retried: [string, number][] = [];
/** Bodies of messages that were set aside. */
let deadLetters: string[] = [];

beforeEach(async () => {
  [retried, deadLetters] = [[], []];
});

/** Has a connection ask an hour ago, and answers it with a version. */
async function ask(id: string, fields: Partial<Registration> = {}, version = 0): Promise<void> {
  const requestedAt = service.effects.now() - 3_600_000;
  const registration: Registration = { id, type: 'server', requestedAt, ...fields };
  await connect(service.store.connections, service.envId, registration, version);
}

async function put(key: string, name = ''): Promise<StoredDocument> {
  const [written] = await service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));
  return written as StoredDocument;
}

/** Delivers messages to the shard as one batch. @returns the indexes of those that are to be handed in again */
async function deliver(
  messages: readonly { body: string }[],
  intercept?: Intercept,
  {
    timesReceived = 1,
    remainingMs = 60_000,
    postsPerChunk = 1_000,
    pace = undefined as Pace | undefined,
    sentAt = service.effects.now(),
    changeVisibility = async (receipt: string, seconds: number) => void retried.push([receipt, seconds]),
  } = {},
): Promise<number[]> {
  const handler = createDeliver({
    queue: { changeVisibility, sendToDeadLetterQueue: async ({ body }) => void deadLetters.push(body) },
    postsPerChunk,
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service),
    sender: pace ? paced(sender, pace) : sender,
    now: service.effects.now,
  });
  const Records = messages.map(({ body }, index) => queueRecord(body, index, { times: timesReceived, sentAt }));
  const { batchItemFailures } = await handler({ Records }, { getRemainingTimeInMillis: () => remainingMs });
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)).toSorted();
}

async function forget(Key: Key, TableName = service.store.tables.flags): Promise<void> {
  await service.store.tables.client.send(new DeleteItemCommand({ TableName, Key }));
}

const message = (stored: StoredDocument, shard = SHARD) => pushMessage(stored, shard);
/** The names of the flags and segments a connection got, one message each. */
function got(id: string): string[] {
  return sender
    .to(id)
    .map(({ data: { featureFlags, segments } }) =>
      [...featureFlags, ...(segments ?? [])].map(({ key, id: its, name = '' }) => (key ?? its) + name).join('+'),
    );
}

describe('a change', () => {
  test('reaches a server as its document, one item a message with both lists', async () => {
    await ask(A);
    const flag = await put('f');
    const [segment] = await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    expect(await deliver([message(flag), message(segment as StoredDocument)])).toEqual([]);
    expect(sender.to(A)).toMatchObject([
      { messageType: 'data-sync', data: { eventType: 'patch', featureFlags: [{ key: 'f' }], segments: [] } },
      { messageType: 'data-sync', data: { eventType: 'patch', featureFlags: [], segments: [{ id: 's' }] } },
    ]);
  });

  test('reaches a client evaluated for its user; documents and segments never do', async () => {
    await ask(A, { type: 'client', user: aUser('u1') });
    await ask(B, { type: 'client', user: aUser('u2') });
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f', rules, tags: ['secret'] }));
    const written = await service.store.documents.writeSegment(service.envId, 's', () =>
      aSegment({ id: 's', included: ['u2'], name: 'secret' }),
    );
    expect(written.map(({ kind }) => kind)).toEqual(['segment', 'flag']);
    expect(await deliver(written.map((each) => message(each)))).toEqual([]);
    for (const [id, keyId, variation] of [
      [A, 'u1', 'true'],
      [B, 'u2', 'false'],
    ] as const) {
      const data = { eventType: 'patch', userKeyId: keyId, featureFlags: [{ id: 'f', variation }] };
      expect(sender.to(id)).toMatchObject([{ data }]);
    }
    expect(JSON.stringify(sender.sent)).not.toMatch(/secret|included|rules|segments/);
  });

  test('reaches nobody of another environment or shard', async () => {
    await ask(A);
    const flag = await put('f');
    await deliver([
      pushMessage(flag, SHARD + 1),
      pushMessage({ ...flag, envId: (await aService(database)).envId }, SHARD),
    ]);
    expect(sender.sent).toEqual([]);
  });

  test('is sent as it was if it was replaced before its delivery, before its successor', async () => {
    await ask(A);
    const changes = [await put('f', '-1'), await put('f', '-2'), await put('f', '-3')];
    await deliver(changes.map((each) => message(each)));
    expect(got(A)).toEqual(['f-1', 'f-2', 'f-3']);
  });

  test('is read from the table if it was too large, or replaced by its successor', async () => {
    await ask(A);
    const [first, second] = [await put('f', '-1'), await put('f', '-2')];
    await deliver([pushMessage(first, SHARD, { withBody: false }), pushMessage(second, SHARD, { withBody: false })]);
    expect(got(A)).toEqual(['f-2']);
  });

  test('is skipped if no message can carry it, and the next one arrives', async () => {
    await ask(A);
    const targetUsers = [{ keyIds: Array.from({ length: 20_000 }, (_, n) => `user-${n}`), variationId: 'on' }];
    const flag: Document = { kind: 'flag', document: aFlag({ key: 'huge', targetUsers }) };
    const [huge] = await writeUnchecked(service.store, service.envId, flag);
    expect(await deliver([message(huge as StoredDocument), message(await put('f'))])).toEqual([]);
    expect(got(A)).toEqual(['f']);
  });

  test('moves the shard on also where nobody is connected', async () => {
    const flag = await put('f');
    await deliver([message(flag)]);
    expect((await service.store.connections.loadShard(service.envId, SHARD)).servedTo).toBe(flag.updatedAt);
  });
});

describe('a shard', () => {
  test('drops duplicates and what is older than what it has been served', async () => {
    await ask(A);
    const [first, second] = [await put('f', '-1'), await put('f', '-2')];
    await deliver([message(first), message(second), message(second), message(first)]);
    await deliver([message(first), message(second)]);
    expect(got(A)).toEqual(['f-1', 'f-2']);
  });

  test.each([
    ['as it was written', true, ['a', 'b-old', 'c', 'b-new', 'sA segment', 'd']],
    ['as it is now where the journal has it no more', false, ['a', 'c', 'b-new', 'sA segment', 'd']],
  ])('is brought what never arrived before what comes after it, %s', async (_, hasJournal, expected) => {
    await ask(A);
    await deliver([message(await put('a'))]);
    const overtaken = await put('b', '-old');
    await put('c');
    await put('b', '-new');
    const [segment] = await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    if (!hasJournal) await forget(keys.journal(service.envId, overtaken.updatedAt));
    await deliver([message(await put('d'))]);
    await deliver([message(overtaken), message(segment as StoredDocument)]);
    expect(got(A)).toEqual(expected);
  });

  test('gets all changes of a batch in order, with missing ones in their place', async () => {
    await ask(A);
    const [a, b] = [await put('a'), await put('b')];
    await put('lost');
    const [c, d, e] = [await put('c'), await put('d'), await put('e')];
    await deliver([pushMessage([c, d], SHARD), pushMessage([a, b], SHARD), pushMessage([b], SHARD), message(e)]);
    expect(got(A)).toEqual(['a', 'b', 'lost', 'c', 'd', 'e']);
  });

  test('asks for its connections once for the many changes of a message', async () => {
    await ask(A);
    const written: StoredDocument[] = [];
    for (let n = 0; n < 12; n++) written.push(await put('f', `-${n}`));
    const calls: string[] = [];
    await deliver([pushMessage(written as [StoredDocument], SHARD)], ({ name }, next) => {
      calls.push(name);
      return next();
    });
    expect(got(A)).toEqual(written.map((_, n) => `f-${n}`));
    expect(calls).toEqual(['Query', 'PutItem']);
  });

  test('sends nothing again if the note of its version has expired', async () => {
    await ask(A, { requestedAt: service.effects.now() - 3 * 3_600_000 });
    const [a, b] = [await put('a'), await put('b')];
    await deliver([message(a), message(b)]);
    await service.store.connections.remove(service.envId, A);
    service.effects.clock.now += 130 * 60_000;
    await ask(B, {}, b.updatedAt);
    await forget(keys.cursor(service.envId, SHARD), service.store.tables.connections);
    await deliver([message(await put('c'))]);
    expect(got(A)).toEqual(['a', 'b']);
    expect(got(B)).toEqual(['c']);
  });

  test.each([0, 3])('reads nothing after a long time without pushes (%i changes)', async (changes) => {
    await put('before');
    for (let n = 0; n < changes; n++) await put('b', `-${n}`);
    for (const id of [A, B]) {
      const { updatedAt } = await service.store.documents.version(service.envId);
      await ask(id, {}, updatedAt);
    }
    const flag = await put('c');
    const partitions: unknown[] = [];
    await deliver([message(flag)], ({ name, input }, next) => {
      if (name === 'Query') partitions.push((input['ExpressionAttributeValues'] as { ':pk': unknown })[':pk']);
      return next();
    });
    expect(partitions).toEqual([keys.cursor(service.envId, SHARD).pk]);
    expect([got(A), got(B)]).toEqual([['c'], ['c']]);
  });

  test('leaves a change to the sender of an answer, and counts as served', async () => {
    await ask(A);
    const registration: Registration = { id: B, type: 'server', requestedAt: service.effects.now() };
    const answer = await beginAnswer(service.store.connections, service.envId, registration);
    const flag = await put('f');
    const calls: string[] = [];
    const counted: Intercept = ({ name }, next) => {
      calls.push(name);
      return next();
    };
    expect(await deliver([message(flag)], counted)).toEqual([]);
    expect([got(A), got(B)]).toEqual([['f'], []]);
    expect(calls).toEqual(['Query', 'UpdateItem', 'PutItem']);
    const { states } = service.store.connections;
    expect(await states.finish(answer, flag.updatedAt - 1)).toEqual({ kind: 'changed' });
    expect(await states.finish(answer, flag.updatedAt)).toEqual({ kind: 'finished' });
    await deliver([message(flag), message(await put('g'))]);
    expect(got(B)).toEqual(['g']);
  });

  test('is brought a change whose predecessor was the first of all, and was lost', async () => {
    await ask(A);
    await put('lost');
    await deliver([message(await put('f'))]);
    expect(got(A)).toEqual(['lost', 'f']);
  });

  test('does not bring what was lost to connections that were answered with it since', async () => {
    await ask(A);
    await deliver([message(await put('a'))]);
    const lost = await put('lost');
    await ask(B, {}, lost.updatedAt);
    await deliver([message(await put('f'))]);
    expect(got(A)).toEqual(['a', 'lost', 'f']);
    expect(got(B)).toEqual(['f']);
  });
});

describe('a message that cannot be handled', () => {
  test('is handed in again, with all later ones', async () => {
    await ask(A);
    await ask(B);
    sender.failing.add(A);
    const [f, g] = [await put('f'), await put('g')];
    expect(await deliver([message(f), message(g)])).toEqual([0, 1]);
    expect(got(B)).toEqual(['f']);
    expect((await service.store.connections.loadShard(service.envId, SHARD)).servedTo).toBeUndefined();

    sender.failing.clear();
    expect(await deliver([message(f), message(g)])).toEqual([]);
    for (const id of [A, B]) expect(got(id)).toEqual(['f', 'g']);
  });

  test('is received again if the table fails, and nothing is sent twice', async () => {
    await ask(A);
    const flag = await put('f');
    const throttled: Intercept = () => {
      throw new Error('throttled');
    };
    expect(await deliver([message(flag)], throttled)).toEqual([0]);
    expect(await deliver([message(flag)])).toEqual([]);
    expect(got(A)).toEqual(['f']);
  });

  test.each(['{', 'null', '{"shard":5,"changes":[]}'])('is set aside if it is invalid (%s)', async (body) => {
    await ask(A);
    expect(await deliver([{ body }, message(await put('f'))])).toEqual([]);
    expect(got(A)).toEqual(['f']);
    expect(deadLetters).toEqual([body]);
    const set = output.lines().filter(({ message }) => message === 'message of the push queue set aside');
    expect(set).toMatchObject([{ level: 'ERROR', reason: 'cannot be read', messageId: '0', timesReceived: 1 }]);
  });

  test('is received again after a growing pause, also if the queue refuses the pause', async () => {
    await ask(A);
    const throttled: Intercept = () => {
      throw new Error('throttled');
    };
    const [f, g] = [message(await put('f')), message(await put('g'))];
    for (const timesReceived of [1, 2, 3, 6, 900]) await deliver([f], throttled, { timesReceived });
    expect(retried.map(([, seconds]) => seconds)).toEqual([1, 2, 4, 30, 30]);
    expect(output.lines()).toMatchObject(
      Array(5).fill({
        message: 'push failed and will be retried',
        level: 'ERROR',
        group: 'a group',
        error: { message: 'throttled' },
      }),
    );
    expect(await deliver([f, g], throttled)).toEqual([0, 1]);
    expect(retried.slice(-2)).toEqual([
      ['receipt 0', 1],
      ['receipt 1', 1],
    ]);
    const changeVisibility = async () => {
      throw new Error('no such receipt');
    };
    expect(await deliver([f, g], throttled, { changeVisibility })).toEqual([0, 1]);
    const late = output.lines().filter(({ message }) => message.startsWith('retry is late'));
    expect(late).toMatchObject(Array(2).fill({ level: 'WARN', error: { message: 'no such receipt' } }));
  });

  test('is set aside once it is older than any connection, regardless of its attempts', async () => {
    await ask(A);
    const f = message(await put('f'));
    const twoHours = service.effects.now() - 2 * 3_600_000;
    expect(await deliver([f], undefined, { timesReceived: 999, sentAt: twoHours - 1 })).toEqual([]);
    expect([got(A), deadLetters]).toEqual([[], [f.body]]);
    expect(output.text()).toContain('not delivered within two hours');
    expect(await deliver([f], undefined, { timesReceived: 999, sentAt: twoHours })).toEqual([]);
    expect([got(A), deadLetters]).toEqual([['f'], [f.body]]);
  });
});

describe('a change to more connections than there is time for', () => {
  const ids = idsInShard(SHARD, 20).toSorted();
  /** Lets each message to a connection take some time, one after another. */
  const slowDown = (ms: number) => {
    const { post } = sender;
    sender.post = async (to, text) => {
      service.effects.clock.now += ms;
      return post(to, text);
    };
  };

  test('is handed in again at once, and goes on where it was: all get it, nobody twice', async () => {
    for (const id of ids) await ask(id);
    slowDown(2_500);
    const [a, b] = [await put('a'), await put('b')];
    const options = { remainingMs: 30_000, postsPerChunk: 4 };
    const counts: number[] = [];
    for (let timesReceived = 1; ; timesReceived++) {
      const before = sender.sent.length;
      const failed = await deliver([message(a), message(b)], undefined, { ...options, timesReceived });
      counts.push(sender.sent.length - before);
      // Nothing is begun after two thirds of the time.
      expect(counts.at(-1)).toBeLessThanOrEqual(12);
      if (failed.length === 0) break;
    }
    expect(counts.length).toBeGreaterThan(3);
    for (const id of ids) expect(got(id)).toEqual(['a', 'b']);
    expect(new Set(retried.map(([, seconds]) => seconds))).toEqual(new Set([0]));
  });

  test('is sent at the pace of the instance, and stops in time', async () => {
    for (const id of ids) await ask(id);
    const { clock, now } = service.effects;
    const flag = await put('f');
    const startedAt = now();
    const pause = async (ms: number) => {
      clock.now += ms;
    };
    const pace = createPace(0.5, { monotonic: now, pause });
    expect(await deliver([message(flag)], undefined, { remainingMs: 30_000, postsPerChunk: 1, pace })).toEqual([0]);
    expect(now() - startedAt).toBeGreaterThan(20_000);
    expect(sender.sent.length).toBeLessThanOrEqual(13);
    expect(sender.sent.length).toBeGreaterThanOrEqual(10);
  });

  test('is sent at the pace of an instance, also with later changes in other calls', async () => {
    const RATE = 100;
    for (const id of ids) await ask(id);
    const { clock, now } = service.effects;
    // Pauses end one after another, and each at its own time.
    let earlier: Promise<unknown> = Promise.resolve();
    const pause = (ms: number): Promise<void> => {
      const end = now() + ms;
      const mine = earlier
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(() => {
          clock.now = Math.max(clock.now, end);
        });
      earlier = mine;
      return mine;
    };
    const pace = createPace(RATE, { monotonic: now, pause });
    const { post } = sender;
    const times: number[] = [];
    sender.post = (to, text) => {
      times.push(now());
      return post(to, text);
    };
    for (let call = 0; call < 16; call++) {
      const flag = await put(`flag-${call}`);
      if (call === 8) clock.now += 60_000;
      expect(await deliver([message(flag)], undefined, { pace })).toEqual([]);
    }
    expect(times).toHaveLength(16 * ids.length);
    // In each span of time its share, and the turns of 50 ms.
    for (const [index, from] of times.entries()) {
      for (let last = index; last < times.length; last += 7) {
        const atMost = (((times[last] as number) - from + 50) / 1_000) * RATE + 1;
        expect(last - index + 1).toBeLessThanOrEqual(atMost);
      }
    }
  });

  test('is tried again only for a connection that could not be reached', async () => {
    for (const id of ids) await ask(id);
    sender.failing.add(ids[3] as string);
    const flag = await put('f');
    expect(await deliver([message(flag)], undefined, { postsPerChunk: 4 })).toEqual([0]);
    expect(retried).toEqual([['receipt 0', 1]]);
    sender.failing.clear();
    expect(await deliver([message(flag)], undefined, { postsPerChunk: 4, timesReceived: 2 })).toEqual([]);
    for (const id of ids) expect(got(id)).toEqual(['f']);
    expect((await service.store.connections.loadShard(service.envId, SHARD)).servedTo).toBe(flag.updatedAt);
  });

  test('is completed by the next message if its own is gone', async () => {
    for (const id of ids) await ask(id);
    slowDown(2_500);
    const [a, b] = [await put('a'), await put('b')];
    expect(await deliver([message(a)], undefined, { remainingMs: 30_000, postsPerChunk: 4 })).toEqual([0]);
    expect(await deliver([message(b)], undefined, { remainingMs: 600_000 })).toEqual([]);
    for (const id of ids) expect(got(id)).toEqual(['a', 'b']);
  });

  test('does not send it again to clients that asked again, where no call was killed', async () => {
    const user = (plan: string) => aUser('u', { plan });
    for (const id of ids) await ask(id, { type: 'client', user: user('free') });
    const flag = await put('f');
    const last = ids.at(-1) as string;
    const requestedAt = service.effects.now();
    await ask(last, { type: 'client', user: user('paid'), requestedAt }, flag.updatedAt);
    slowDown(2_500);
    const options = { remainingMs: 30_000, postsPerChunk: 4 };
    for (let timesReceived = 1; (await deliver([message(flag)], undefined, { ...options, timesReceived })).length > 0; )
      timesReceived++;
    for (const id of ids) expect(got(id)).toEqual(id === last ? [] : ['f']);
  });
});

describe('a client that goes on as another user', () => {
  const plan = (name: string) => ({ type: 'client' as const, user: aUser('u', { plan: name }) });
  const rules = [aRule([aCondition('plan', 'Equal', 'free')])];
  const putRule = async () => {
    const [written] = await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f', rules }));
    return written as StoredDocument;
  };
  const variations = () => sender.to(A).map(({ data: { featureFlags } }) => featureFlags[0].variation);
  /** Has it ask as of now, and answers it with a version. */
  const askAgain = (fields: Partial<Registration>, version: number) =>
    ask(A, { ...fields, requestedAt: service.effects.now() }, version);

  test('during a delivery ends with the change for that user before the shard is served', async () => {
    await ask(A, plan('free'));
    const flag = await putRule();
    const { post } = sender;
    sender.post = async (to, text) => {
      const posted = await post(to, text);
      if (variations().length === 1) await askAgain(plan('paid'), flag.updatedAt);
      return posted;
    };
    let queries = 0;
    const secondLookFails: Intercept = ({ name }, next) => {
      if (name === 'Query' && ++queries === 2) throw new Error('throttled');
      return next();
    };
    expect(await deliver([message(flag)], secondLookFails)).toEqual([0]);
    expect(variations()).toEqual(['false']);
    expect((await service.store.connections.loadShard(service.envId, SHARD)).servedTo).toBeUndefined();

    expect(await deliver([message(flag)], undefined, { timesReceived: 2 })).toEqual([]);
    expect(variations()).toEqual(['false', 'true']);
    expect((await service.store.connections.loadShard(service.envId, SHARD)).servedTo).toBe(flag.updatedAt);
  });

  test('is looked for once a round, and not where there are servers only', async () => {
    await ask(A, plan('free'));
    await ask(B);
    const calls: string[] = [];
    const counted: Intercept = ({ name }, next) => {
      calls.push(name);
      return next();
    };
    await deliver([message(await putRule())], counted);
    expect(calls).toEqual(['Query', 'Query', 'PutItem']);
    calls.length = 0;
    await service.store.connections.remove(service.envId, A);
    await deliver([message(await put('g'))], counted);
    expect(calls).toEqual(['Query', 'PutItem']);
  });

  test('gets the change again after a killed delivery, but only if it has asked again', async () => {
    const flag = await putRule();
    await ask(A, plan('free'));
    await askAgain(plan('paid'), flag.updatedAt);
    await ask(B, plan('free'), flag.updatedAt);
    await deliver([message(flag)], undefined, { timesReceived: 1 });
    expect(variations()).toEqual([]);
    await service.store.tables.client.send(
      new DeleteItemCommand({ TableName: service.store.tables.connections, Key: keys.cursor(service.envId, SHARD) }),
    );
    await deliver([message(flag)], undefined, { timesReceived: 2 });
    expect(variations()).toEqual(['true']);
    expect(got(B)).toEqual([]);
  });

  test('gets a replaced change once after a killed delivery, as it is now', async () => {
    const [first, second] = [await put('f', '1'), await put('f', '2')];
    await ask(A, plan('free'));
    await askAgain(plan('paid'), second.updatedAt);
    await deliver([message(first), message(second)], undefined, { timesReceived: 2 });
    expect(sender.to(A).map(({ data }) => data.featureFlags[0]?.timestamp)).toEqual([second.updatedAt]);
  });
});

test('counts pushes and their outcomes, and measures the age of a change', async () => {
  process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'test';
  const [C, D] = idsInShard(SHARD, 4).slice(2) as [string, string];
  for (const id of [A, B, C, D]) await ask(id);
  sender.gone.add(B);
  sender.failing.add(C);
  const written = await put('f');
  const flag = { ...written, writtenAt: Math.floor(written.updatedAt / 1_000) * 1_000 };
  service.effects.clock.now = flag.updatedAt + 70;
  expect(await deliver([message(flag)])).toEqual([0]);
  sender.failing.clear();
  await deliver([message(flag)]);
  delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
  expect(output.metrics()).toEqual([{ 'push.sent': 2, 'push.failed': 1 }, { 'push.latency': 70 }, { 'push.sent': 1 }]);
});
