import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Connection, DeliveryProgress } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { Change } from '../../shared/store/documents/change.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { testSender } from '../testing/service.ts';
import { callTime } from './callTime.ts';
import { postsPerChunk, type Round, serveRound } from './serveRound.ts';

const NOW = 1_700_000_000_000;
const LONG_AGO = NOW - 3_600_000;
let output: CapturedOutput;
let sender: ReturnType<typeof testSender>;
/** Notes of how far the delivery has come: who has it, who may have it, and how many messages were sent before. */
let notes: [servedId: string, begunId: string, sent: number][];
/** Versions that were left to the senders of connections. */
let left: [id: string, version: number][];

beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => {
  sender = testSender();
  [notes, left] = [[], []];
  output.clear();
});

const server = (id: string, fields: Partial<Connection> = {}): Connection => ({
  id,
  type: 'server',
  requestedAt: LONG_AGO,
  answerId: `answer to ${id}`,
  state: { kind: 'current', version: 0 },
  ...fields,
});
/** A client that was answered with all changes, for another user than it asked for before. */
const client = (id: string): Connection => ({
  ...server(id),
  type: 'client',
  user: aUser('u'),
  hasAskedBefore: true,
  state: { kind: 'current', version: 99 },
});

const flag = (version: number) => aFlag({ key: `f${version}`, updatedAt: formatTimestamp(version) });
const changeOf = (updatedAt: number, writtenAt = NOW): Change => {
  const body = { text: JSON.stringify(flag(updatedAt)) };
  return { kind: 'flag', envId: 'env', id: `f${updatedAt}`, updatedAt, previous: 0, writtenAt, body };
};

const storedOf = (version: number): StoredDocument => {
  const { body, ...change } = changeOf(version);
  return { ...change, targetedAt: 0, body: body as { text: string } };
};

/** Serves a round; each connection is begun with while `room` lasts. */
function serve(
  connections: readonly Connection[],
  {
    changes = [changeOf(10)] as readonly Change[],
    start = { kind: 'new' } as Round['start'],
    chunk = 2,
    room = 99,
    missed = [] as readonly number[],
    readAt = NOW,
    current = connections,
  } = {},
): Promise<boolean> {
  const version = 10;
  const flags = changes.map(({ updatedAt }) => flag(updatedAt));
  const snapshot = compileSnapshot({ envId: 'env', version, flags, segments: [] });
  const states = {
    leave: async (_envId: string, { id }: Connection, version: number) => {
      left.push([id, version]);
      return true;
    },
    mark: async () => {},
  };
  const shards = {
    markProgress: async (_envId: string, _shard: number, { servedId, begunId }: DeliveryProgress) => {
      notes.push([servedId, begunId, sender.sent.length]);
    },
  };
  const table = {
    find: async (_envId: string, id: string) => connections.find((each) => each.id === id),
    remove: async () => undefined,
    loadBetween: async () => current,
    states,
    shards,
  };
  const time = { ...callTime(() => NOW, Number.POSITIVE_INFINITY), mayBegin: () => room-- > 0 };
  return serveRound(
    {
      connections: table as unknown as Connections,
      sender,
      postsPerChunk: chunk,
      documents: { missed: async () => missed.map(storedOf) },
      snapshots: { read: async () => ({ snapshot }) as never },
      now: () => NOW,
    },
    { envId: 'env', shard: 3, servedTo: 0, version, changes, connections, readAt, start },
    time,
  );
}
/** Sorted: those of a chunk are sent to side by side. */
const sentTo = () => sender.sent.map(({ to }) => to).toSorted();

test('a chunk has two seconds of messages of a call, and at most five hundred', () => {
  expect([0.1, 10, 10.2, 250, 251, 10_000].map(postsPerChunk)).toEqual([1, 20, 21, 500, 500, 500]);
});

describe('a round', () => {
  test('is served without connections, and sends and notes nothing', async () => {
    expect(await serve([])).toBe(true);
    expect([sentTo(), notes]).toEqual([[], []]);
  });

  test('leaves out connections that asked again or ended since an older read', async () => {
    const [first, second, third, fourth] = ['A1', 'A2', 'A3', 'A4'].map((id) => server(id)) as [
      Connection,
      Connection,
      Connection,
      Connection,
    ];
    const read = [first, second, third, fourth];
    const current = [first, { ...second, answerId: 'later' }, fourth];
    expect(await serve(read, { current, readAt: NOW - 2_001 })).toBe(true);
    expect(sentTo()).toEqual(['A1', 'A4']);
    expect(notes).toEqual([['A2', 'A4', 1]]);
    sender.sent.length = 0;
    await serve(read, { current, readAt: NOW - 2_000 });
    expect(sentTo()).toEqual(['A1', 'A2', 'A3', 'A4']);
  });

  test('notes before each later chunk who has the changes, and who may have them soon', async () => {
    expect(await serve(['A1', 'A2', 'A3', 'A4', 'A5'].map((id) => server(id)))).toBe(true);
    expect(sentTo()).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
    expect(notes).toEqual([
      ['A2', 'A4', 2],
      ['A4', 'A5', 4],
    ]);
  });

  test('has fewer connections in a chunk where each is sent more', async () => {
    const changes = [changeOf(8), changeOf(9), changeOf(10)];
    await serve([server('A1'), server('A2'), server('A3')], { changes, chunk: 6 });
    expect(notes).toEqual([['A2', 'A3', 6]]);
  });

  test('repeats nothing for those who asked again, where no call began it before', async () => {
    await serve([client('A1'), server('A2')]);
    expect(sentTo()).toEqual(['A2']);
  });

  test('leaves its version to the senders of connections that are being answered', async () => {
    const answering = server('A2', { state: { kind: 'answering', leaseUntil: NOW + 1 } });
    expect(await serve([server('A1'), answering, server('A3')])).toBe(true);
    expect([sentTo(), left]).toEqual([['A1', 'A3'], [['A2', 10]]]);
  });

  test('is repeated for all who asked again if it may have begun', async () => {
    expect(await serve([client('A1'), server('A2'), client('A3')], { start: { kind: 'perhaps begun' } })).toBe(true);
    expect(sentTo()).toEqual(['A1', 'A2', 'A3']);
    expect(notes).toEqual([['A2', 'A3', 2]]);
  });

  test('ends with a note of connections that cannot be reached, their number and reason', async () => {
    sender.failing.add('A2').add('A4');
    await expect(serve(['A1', 'A2', 'A3', 'A4'].map((id) => server(id)))).rejects.toMatchObject({
      message: '2 of 4 connections could not be served',
      cause: { message: 'A2 cannot be reached' },
    });
    expect(notes).toEqual([
      ['A2', 'A4', 1],
      ['A4', 'A4', 2],
    ]);
  });
});

describe('a round that an earlier call left', () => {
  const start = { kind: 'continued', version: 10, servedId: 'A1', begunId: 'A3' } as const;

  test('goes on with those who may have the changes: only they are sent them again', async () => {
    const connections = ['A1', 'A2', 'A3', 'A4', 'A5'].map(client);
    expect(await serve([...connections, server('A6')], { start, chunk: 9 })).toBe(true);
    expect(sentTo()).toEqual(['A2', 'A3', 'A6']);
    expect(notes).toEqual([['A3', 'A6', 2]]);
  });

  test('is noted before anybody else may have the changes, and not before', async () => {
    const connections = ['A1', 'A2', 'A3', 'A4', 'A5'].map((id) => server(id));
    await serve(connections, { start: { ...start, servedId: 'A3' } });
    expect(sentTo()).toEqual(['A4', 'A5']);
    expect(notes).toEqual([['A3', 'A5', 0]]);
  });

  test('sends earlier connections that are behind what they lack, and keeps its progress', async () => {
    const behind = server('A1', { state: { kind: 'behind', version: 0, reason: 'unreachable' } });
    const connections = [behind, server('A2'), server('A3'), server('A4')];
    await serve(connections, { start: { ...start, servedId: 'A3' }, chunk: 1, changes: [], missed: [10] });
    expect(sender.sent.map(({ to }) => to)).toEqual(['A1', 'A4']);
    expect(notes).toEqual([['A3', 'A4', 1]]);
  });

  test('skips earlier connections that are being answered, as their sender has it', async () => {
    const answering = server('A1', { state: { kind: 'answering', leaseUntil: NOW + 1 } });
    await serve([answering, server('A2'), server('A3')], { start });
    expect([sentTo(), left]).toEqual([['A2', 'A3'], []]);
  });
});

describe('a round at the end of its time', () => {
  const connections = ['A1', 'A2', 'A3', 'A4'].map((id) => server(id));
  const start = { kind: 'continued', version: 10, servedId: 'A1', begunId: 'A3' } as const;

  test('notes nothing if it has sent nothing', async () => {
    expect(await serve(connections, { room: 0 })).toBe(false);
    expect([sentTo(), notes]).toEqual([[], []]);
  });

  test('notes within a chunk who has the changes; nobody else may have them', async () => {
    expect(await serve(connections, { room: 1 })).toBe(false);
    expect(sentTo()).toEqual(['A1']);
    expect(notes).toEqual([['A1', 'A1', 1]]);
  });

  test('notes between two chunks that the second did not begin', async () => {
    expect(await serve(connections, { room: 2 })).toBe(false);
    expect(notes).toEqual([
      ['A2', 'A4', 2],
      ['A2', 'A2', 2],
    ]);
  });

  test('keeps connections that are noted as uncertain', async () => {
    expect(await serve(connections, { start, room: 1 })).toBe(false);
    expect(sentTo()).toEqual(['A2']);
    expect(notes).toEqual([['A2', 'A3', 1]]);
    notes = [];
    expect(await serve(connections, { start, room: 0 })).toBe(false);
    expect(notes).toEqual([['A1', 'A3', 1]]);
  });
});

describe('the metrics of a round', () => {
  beforeEach(() => {
    process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'test';
  });
  afterEach(() => {
    delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
  });

  test('tell how old its newest change is, by the later of its two times', async () => {
    await serve([server('A1')], { changes: [changeOf(9, NOW - 500), changeOf(10, NOW - 70)] });
    expect(output.metrics()).toEqual([{ 'push.latency': 70 }, { 'push.sent': 2 }]);
  });

  test('tell no age where none of its changes is at hand, nor before all are served', async () => {
    await serve([server('A1')], { changes: [] });
    await serve([server('A1')], { room: 0 });
    expect(output.metrics()).toEqual([]);
  });
});
