import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { SHARDS } from '../../../shared/store/connections/connection.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { connect } from '../../../shared/store/testing/connect.ts';
import { until } from '../../../shared/testing/until.ts';
import { HandshakeError, listVersions, RawSocket } from '../../support/rawSocket.ts';
import type { EmulatedStack } from '../conformance/emulated.ts';
import { simpleFlag, Workspace } from '../conformance/workspace.ts';
import { type Changes, expectErrorFrame, startRefusing, type Templates, withResources } from './refusingStack.ts';
import { failNext, faultsLeft } from './testing/faults.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
afterEach(() => stack.close());

const user = { keyId: 'u1' };
/** With a faulty sync for which API Gateway waits less than its 29 seconds. */
const waitingMs = (TimeoutInMillis: number, properties: { Timeout: number }) =>
  withResources(
    withFaulty('sync', properties),
    ({ Type, Properties }) =>
      Type === 'AWS::ApiGatewayV2::Integration' && Properties?.['IntegrationType'] === 'AWS_PROXY',
    { Properties: { TimeoutInMillis } },
  );

describe('a data-sync', () => {
  test('above the concurrency of the account is refused at once, and answered on retry', async () => {
    stack = await startRefusing(synthesizedTemplates(), { concurrentExecutions: 2 });
    const workspace = await Workspace.create(stack);
    const crowd: RawSocket[] = [];
    for (let n = 0; n < 20; n += 1) crowd.push(await openUntilAccepted(workspace.url('client')));
    const answers = await Promise.all(crowd.map((socket) => syncUntilAnswered(socket, { timestamp: 0, user })));
    for (const { answer } of answers) expect(answer.data.featureFlags).toHaveLength(5);
    expect(answers.some(({ refused }) => refused > 0)).toBe(true);
    for (const socket of crowd) await socket.close();
  });

  test.each([
    ['crashes', 'crash', () => withFaulty('sync'), 'Internal server error'],
    ['uses up its function’s time', 'hang', () => withFaulty('sync', { Timeout: 4 }), 'Internal server error'],
    [
      'takes longer than API Gateway waits',
      'hang',
      () => waitingMs(3_000, { Timeout: 6 }),
      'Endpoint request timed out',
    ],
  ] as const)(
    'that %s is an error to the client; its connection stays, and it may ask again',
    async (_name, fault, templates, message) => {
      stack = await startRefusing(templates());
      const workspace = await Workspace.create(stack);
      const socket = await RawSocket.open(workspace.url('client'));
      failNext('sync', fault);
      expectErrorFrame(await socket.sync({ timestamp: 0, user }), message);
      socket.send({ messageType: 'ping', data: {} });
      expect(await socket.next()).toMatchObject({ messageType: 'pong' });
      expect((await socket.sync({ timestamp: 0, user })).data).toMatchObject({ eventType: 'full', userKeyId: 'u1' });
      await workspace.toggle('returns-true');
      expect((await socket.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ id: 'returns-true' }] });
      await socket.close();
    },
  );
});

describe('a crowd that meets instances which start, and a partition that is busy', () => {
  const FLAGS = 1_000;
  const CLIENTS = 12;
  const COLD_START_MS = 1_000;

  test('is answered: each client once, with all flags', async () => {
    // Without publish there is no snapshot: instances that start read all documents from one partition.
    const templates = withFunction('publish', { Properties: { ReservedConcurrentExecutions: 0 } });
    const partitionUnits = { read: 60, write: 100_000 };
    const refusing = await startRefusing(templates, { coldStartMs: COLD_START_MS, callVcpuMs: 5, partitionUnits });
    stack = refusing;
    const documents = Array.from({ length: FLAGS }, (_, n) => ({
      kind: 'flag' as const,
      document: simpleFlag(`flag-${n}`),
    }));
    const workspace = await Workspace.create(stack, documents);
    const start = performance.now();
    const crowd = Array.from({ length: CLIENTS }, async (_, n) => {
      const socket = await RawSocket.open(workspace.url(n % 2 ? 'client' : 'server'));
      const first = await socket.sync({ timestamp: 0, user });
      const answeredMs = performance.now() - start;
      expect(first.data.eventType).toBe('full');
      const versions = listVersions(first);
      while (versions.length < FLAGS) versions.push(...listVersions(await socket.next()));
      expect(versions).toHaveLength(FLAGS);
      expect(new Set(versions).size).toBe(FLAGS);
      await socket.expectSilence();
      await socket.close();
      return answeredMs;
    });
    const answeredMs = await Promise.all(crowd);
    // An instance of connect starts, and then one of sync.
    expect(Math.min(...answeredMs)).toBeGreaterThan(2 * COLD_START_MS);
    expect(refusing.log.join('\n')).toContain(`throttled: ENV#${workspace.envId}`);
  });
});

describe('a push', () => {
  const connected = async (workspace: Workspace) => {
    const sockets = await Promise.all([
      RawSocket.open(workspace.url('client')),
      RawSocket.open(workspace.url('server')),
    ]);
    for (const socket of sockets) await socket.sync({ timestamp: 0, user });
    return sockets;
  };
  /** Changes a flag twice and expects both changes at every connection, once and in order, and nothing else. */
  const expectPushed = async (workspace: Workspace, sockets: readonly RawSocket[]) => {
    const written = [...(await workspace.toggle('returns-true')), ...(await workspace.toggle('returns-true'))];
    for (const socket of sockets) {
      for (const { updatedAt } of written) expect(listVersions(await socket.next())).toEqual([updatedAt]);
      await socket.expectSilence();
      await socket.close();
    }
  };

  test.each([
    ['deliver', 'crashes', 'crash', {}],
    ['deliver', 'uses up its time', 'hang', { Timeout: 3 }],
    ['publish', 'crashes', 'crash', {}],
  ] as const)('arrives, once and in order, when %s %s twice', async (name, _fails, fault, properties) => {
    stack = await startRefusing(withFaulty(name, properties));
    const workspace = await Workspace.create(stack);
    const sockets = await connected(workspace);
    failNext(name, fault, 2);
    await expectPushed(workspace, sockets);
    expect(faultsLeft(name)).toBe(0);
  });

  test('arrives while a connection is gone, and the next change removes that connection', async () => {
    stack = await startRefusing(synthesizedTemplates());
    const workspace = await Workspace.create(stack);
    const connections = openConnections({ client: createDynamoDb(), connections: stack.tables.connections });
    const sockets = await connected(workspace);
    const gone = { id: 'gone0000gone0000', type: 'server', requestedAt: Date.now() } as const;
    await connect(connections, workspace.envId, gone);
    await expectPushed(workspace, sockets);
    await until(async () => (await connections.find(workspace.envId, gone.id)) === undefined);
    // The rows of closed connections are removed too.
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    await until(async () => {
      const loaded = await Promise.all(shards.map((shard) => connections.loadShard(workspace.envId, shard)));
      return loaded.every((shard) => shard.connections.length === 0);
    });
  });

  test('to a few connections does not wait for one to many, though it comes after it', async () => {
    const twoAtOnce = readConfig({ deliverConcurrency: 2 });
    stack = await startRefusing(synthesizedTemplates(twoAtOnce), { managementMs: 100 });
    const [large, small] = [await Workspace.create(stack), await Workspace.create(stack)];
    const crowd = await Promise.all(Array.from({ length: 64 }, () => RawSocket.open(large.url('client'))));
    const [one] = await connected(small);
    for (const socket of crowd) await socket.sync({ timestamp: 0, user });
    const arrived: string[] = [];
    await large.toggle('returns-true');
    await small.toggle('returns-true');
    await Promise.all([
      ...crowd.map((socket) => socket.next().then(() => arrived.push('large'))),
      one?.next().then(() => arrived.push('small')),
    ]);
    expect(arrived.indexOf('small')).toBeLessThan(crowd.length / 2);
    for (const socket of crowd) await socket.close();
  });

  test('arrives, once and in order, when most of its deliveries are throttled', async () => {
    const oneAtOnce = withFunction('deliver', { Properties: { ReservedConcurrentExecutions: 1 } });
    // Deliveries take long enough to meet.
    const refusing = await startRefusing(oneAtOnce, { managementMs: 100 });
    stack = refusing;
    const workspace = await Workspace.create(stack);
    // So many that they do not all fall into one message group, by chance of their ids.
    const sockets = await Promise.all(Array.from({ length: 8 }, () => connected(workspace)));
    await expectPushed(workspace, sockets.flat());
    expect(refusing.log.join('\n')).toContain('throttled: ReservedFunctionConcurrentInvocationLimitExceeded');
  });
});

/** The stacks' templates with a function changed. @param name of its file in functions/lambda, e.g. `sync` */
function withFunction(name: string, changes: Changes): Templates {
  const entry = `functions/lambda/${name}.ts`;
  return withResources(synthesizedTemplates(), ({ Metadata }) => Metadata?.[entryMetadata] === entry, changes);
}

/** The stacks' templates with a function that does what `failNext` says (testing/faults.ts). */
function withFaulty(name: 'sync' | 'publish' | 'deliver', Properties: Changes['Properties'] = {}): Templates {
  const Metadata = { [entryMetadata]: 'dev/verify/faults/testing/functions.ts' };
  return withFunction(name, { Properties: { Handler: `index.${name}`, ...Properties }, Metadata });
}

/** Connects, again and again while the authorizer is throttled. @throws {HandshakeError} for another status than 500 */
async function openUntilAccepted(url: string): Promise<RawSocket> {
  for (;;) {
    try {
      return await RawSocket.open(url);
    } catch (error) {
      if (!(error instanceof HandshakeError) || error.status !== 500) throw error;
    }
  }
}

/** Asks for data until there is an answer. @returns it, and how often API Gateway sent an error in its place */
async function syncUntilAnswered(socket: RawSocket, data: unknown) {
  for (let refused = 0; ; refused += 1) {
    const answer = await socket.sync(data);
    if (answer.messageType !== undefined) return { answer, refused };
    expectErrorFrame(answer, 'Internal server error');
  }
}
