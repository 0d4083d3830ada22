import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { isComplete, readReceipt } from '../../../shared/store/connections/receipt.ts';
import { keys } from '../../../shared/store/table/keys.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { freePort } from '../../support/freePort.ts';
import { HostProcess } from '../../support/hostProcess.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { conformanceCases } from './cases/all.ts';
import { closeOpenFeatureWeb, startOpenFeatureWeb } from './clients/openFeature.ts';
import { type EmulatedHost, startHost } from './emulated.ts';
import { assumeHostRole, type HostKind, hostVariables } from './hostRole.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

describe('a host', () => {
  let host: EmulatedHost;
  let target: Target;

  beforeAll(async () => {
    host = await startHost();
    target = {
      ...host,
      differences: new Set(['refuses-with-4003', 'answers-whole', 'counts-in-memory', 'discards-large-messages']),
    };
  });

  afterAll(() => host.close());

  conformanceCases(() => target);

  test('OpenFeature’s web provider hears of changes by the event stream, without polling', async () => {
    Object.defineProperty(globalThis, 'EventSource', { configurable: true, value: EventSource });
    const workspace = await Workspace.create(target);
    const web = await startOpenFeatureWeb(workspace, workspace.clientKey, { targetingKey: 'u1' }, 0);
    for (const expected of [false, true]) {
      await workspace.toggle('returns-true');
      await until(() => web.client.getBooleanValue('returns-true', !expected) === expected);
    }
    await until(() => web.changed.length === 2);
    expect(web.changed).toEqual(['returns-true', 'returns-true']);
    await closeOpenFeatureWeb();
    Reflect.deleteProperty(globalThis, 'EventSource');
  });

  test('metrics tell of connections, syncs and pushes', async () => {
    const metrics = await (await fetch(`${target.httpUrl}/metrics`)).text();
    for (const name of [
      'flagwire_connections ',
      'flagwire_sync_seconds_count',
      'flagwire_pushes_total',
      'nodejs_eventloop_lag',
    ]) {
      expect(metrics).toContain(name);
    }
    expect(Number(/^flagwire_pushes_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(100);
  });

  test('its role as a machine allows nothing that no case has needed, apart from its installation and its agent', () => {
    const unused = host.stack.unusedGrants().filter((grant) => grant.startsWith('Flagwire-dev-Host-'));
    expect(unused.map((grant) => grant.replace(/^\S+ (\S+) on .*$/, '$1')).toSorted()).toEqual([
      'cloudwatch:PutMetricData',
      'logs:CreateLogStream',
      'logs:DescribeLogStreams',
      'logs:PutLogEvents',
      's3:GetObject',
    ]);
  });

  test.each<HostKind>(['machine', 'task'])('the role of a %s allows no write, history or connections', async (kind) => {
    const { stack } = host;
    const { envId } = await Workspace.create(target);
    const client = new DynamoDBClient({ credentials: assumeHostRole(stack, kind) });
    const { flags, connections } = stack.tables;
    const { pk } = keys.history(envId, 0);
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    const denied = [
      new PutItemCommand({ TableName: flags, Item: keys.flag(envId, 'returns-true') }),
      new PutItemCommand({ TableName: flags, Item: keys.snapshotPointer(envId, 0) }),
      new QueryCommand({ TableName: flags, ...query }),
      new ScanCommand({ TableName: flags }),
      new GetItemCommand({ TableName: connections, Key: keys.connection(envId, 0, 'id') }),
    ];
    for (const command of denied)
      await expect(client.send(command as GetItemCommand)).rejects.toThrow(/^User: .* is not authorized to perform/);
    expect(stack.denials.splice(0)).toHaveLength(denied.length);
    await client.send(new GetItemCommand({ TableName: flags, Key: keys.flag(envId, 'returns-true') }));
    client.destroy();
  });

  test('the role of a task is enough for syncs, pushes and insight events', async () => {
    const { stack } = host;
    const task = await HostProcess.start(stack, { PORT: '0', ...hostVariables(stack, 'task') });
    const httpUrl = `http://127.0.0.1:${task.port}`;
    const workspace = await Workspace.create({ ...target, httpUrl, streamingUrl: `ws://127.0.0.1:${task.port}` });
    const socket = await RawSocket.open(workspace.url('server'));
    expect((await socket.sync({ timestamp: 0 })).data).toMatchObject({ eventType: 'full' });
    await workspace.toggle('returns-true');
    expect((await socket.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ key: 'returns-true' }] });
    const headers = { authorization: workspace.serverKey, 'content-type': 'application/json' };
    const body = JSON.stringify([
      { user: { keyId: `of-${workspace.envId}` }, variations: [], metrics: [{ eventName: 'paid' }] },
    ]);
    await fetch(`${httpUrl}/api/public/insight/track`, { method: 'POST', headers, body });
    await until(stack.insights, (text) => text.includes(`of-${workspace.envId}`));
    await socket.close();
    await task.stop('SIGTERM');
  });

  test('a killed host is unknown to receipts once its lease has ended, until it starts again', async () => {
    const { stack } = host;
    const own = { PORT: String(await freePort()), ...hostVariables(stack, 'machine') };
    let process = await HostProcess.start(stack, own);
    const urls = { httpUrl: `http://127.0.0.1:${process.port}`, streamingUrl: `ws://127.0.0.1:${process.port}` };
    const workspace = await Workspace.create({ ...target, ...urls });
    const client = createDynamoDb();
    /** A receipt as it is read some seconds later. */
    const read = (seconds = 0) => {
      const now = () => Date.now() + seconds * 1_000;
      const table = openConnections({ client, connections: stack.tables.connections }, { ...systemEffects, now });
      return readReceipt(table, host.store.hosts, workspace.envId, {
        version: written?.updatedAt ?? 0,
        at: written?.writtenAt ?? 0,
      });
    };
    const sockets = await Promise.all(Array.from({ length: 3 }, () => RawSocket.open(workspace.url('server'))));
    for (const socket of sockets) await socket.sync({ timestamp: 0 });
    let [written] = await workspace.toggle('returns-true');
    await until(read, (receipt) => isComplete(receipt) && receipt.handed === 3);

    await process.stop('SIGKILL');
    [written] = await workspace.toggle('returns-true');
    expect(isComplete(await read())).toBe(false);
    const later = await read(61);
    expect([isComplete(later), later]).toMatchObject([false, { handed: 0, unknownHosts: [expect.any(String)] }]);
    process = await HostProcess.start(stack, own);
    expect(await until(read, isComplete)).toMatchObject({ handed: 0, unknownHosts: [] });
    await process.stop('SIGKILL');
    client.destroy();
  });

  test('told to stop, it closes every connection with 1001 and ends well', async () => {
    const workspace = await Workspace.create(target);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(workspace.url('client'))));
    for (const socket of sockets) await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
    const exit = host.process.stop('SIGTERM');
    for (const socket of sockets)
      expect(await socket.closed).toEqual({ code: 1001, reason: 'the server is restarting' });
    expect(await exit).toBe(0);
    for (const secret of [workspace.clientKey, workspace.serverKey]) expect(host.process.output).not.toContain(secret);
  });
});
