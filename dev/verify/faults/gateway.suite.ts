import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { isComplete, type Receipt, readReceipt } from '../../../shared/store/connections/receipt.ts';
import type { StoredDocument } from '../../../shared/store/documents/item.ts';
import { until } from '../../../shared/testing/until.ts';
import { listVersions, RawSocket } from '../../support/rawSocket.ts';
import { BrowserSdk, forgetBrowserStorage } from '../conformance/clients/browserSdk.ts';
import { NodeSdk } from '../conformance/clients/nodeSdk.ts';
import type { EmulatedStack } from '../conformance/emulated.ts';
import { Workspace } from '../conformance/workspace.ts';
import { expectErrorFrame, startRefusing, withResources } from './refusingStack.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
beforeEach(forgetBrowserStorage);
afterEach(() => stack.close());

const user = { keyId: 'u1' };
/** The stacks with a route that lets a single message pass. */
const withOneOf = (routeKey: string) =>
  withResources(
    synthesizedTemplates(),
    ({ Type, Properties }) => Type === 'AWS::ApiGatewayV2::Stage' && Properties?.['StageName'] === 'streaming',
    { Properties: { RouteSettings: { [routeKey]: { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 1 } } } },
  );

describe('a data-sync whose route is throttled', () => {
  test.each(['nothing', 'frame'] as const)(
    'may come to %s; its connection stays, and others have their flags',
    async (throttledMessage) => {
      stack = await startRefusing(withOneOf('data-sync'), { throttledMessage });
      const workspace = await Workspace.create(stack);
      const served = await RawSocket.open(workspace.url('client'));
      const refused = await RawSocket.open(workspace.url('client'));
      expect((await served.sync({ timestamp: 0, user })).data.featureFlags).toHaveLength(5);
      refused.send({ messageType: 'data-sync', data: { timestamp: 0, user } });
      if (throttledMessage === 'frame') expectErrorFrame(await refused.next(), 'Too Many Requests');
      await refused.expectSilence();
      await workspace.toggle('returns-true');
      expect((await served.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ id: 'returns-true' }] });
      await refused.expectSilence();
      await Promise.all([served.close(), refused.close()]);
    },
  );
});

describe('a client that floods the service with pings', () => {
  test('uses up the share of pings, and leaves the account’s requests to handshakes, data-syncs and pushes', async () => {
    const [perSecond, burst] = [1, 100];
    const config = readConfig({ throttlingRate: perSecond, throttlingBurst: burst });
    stack = await startRefusing(synthesizedTemplates(config), { requests: { perSecond, burst } });
    const workspace = await Workspace.create(stack);
    const loud = await RawSocket.open(workspace.url('client'));
    for (let n = 0; n < 3 * burst; n += 1) loud.send({ messageType: 'ping', data: {} });
    await until(() => loud.texts.length >= 0.6 * burst);

    const other = await RawSocket.open(workspace.url('client'));
    expect((await other.sync({ timestamp: 0, user })).data.featureFlags).toHaveLength(5);
    await workspace.toggle('returns-true');
    expect((await other.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ id: 'returns-true' }] });
    expect(loud.texts.length).toBeLessThan(burst);
    await Promise.all([loud.close(), other.close()]);
  });
});

describe('an account that is throttled', () => {
  test('refuses new connections with 429, and the SDKs come back', async () => {
    stack = await startRefusing(synthesizedTemplates(), { newConnections: { perSecond: 5, burst: 1 } });
    const workspace = await Workspace.create(stack);
    const crowd = Array.from({ length: 20 }, () => RawSocket.open(workspace.url('client')));
    // Behind the crowd, and so refused at first.
    const sdks = [NodeSdk.start(workspace), BrowserSdk.start(workspace, 'u1')];
    const attempts = await Promise.allSettled(crowd);
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ status: 429 });
    for (const sdk of await Promise.all(sdks)) {
      await sdk.becomes('returns-true', 'true');
      await sdk.close();
    }
  });

  test('answers 429 to posts to connections, and a push still arrives, once, as its receipt says', async () => {
    const [perSecond, burst] = [30, 20];
    stack = await startRefusing(synthesizedTemplates(), { requests: { perSecond, burst } });
    const workspace = await Workspace.create(stack);
    const sockets: RawSocket[] = [];
    for (let n = 0; n < 2 * burst; n += 1) {
      const socket = await RawSocket.open(workspace.url(n % 2 ? 'client' : 'server'));
      await socket.sync({ timestamp: 0, user });
      sockets.push(socket);
      // The two requests of each, and no faster than the account lets them pass.
      await sleep(2_000 / perSecond);
    }
    const [written] = await workspace.toggle('returns-true');
    const { updatedAt: version, writtenAt: at } = written as StoredDocument;
    // A receipt never claims more than arrives, while deliveries are throttled.
    const reachedBy = async () => {
      const receipt =
        stack.receipts && (await readReceipt(stack.receipts, stack.store.hosts, workspace.envId, { version, at }));
      await sleep(200);
      const arrived = sockets.filter(({ texts }) => texts.length > 1).length;
      expect(receipt?.handed).toBeLessThanOrEqual(arrived);
      return receipt as Receipt;
    };
    const { handed, lastAt } = await until(reachedBy, isComplete);
    expect([handed, lastAt]).toEqual([sockets.length, expect.any(Number)]);
    for (const socket of sockets) expect(listVersions(await socket.next())).toEqual([version]);
    await sleep(1_000);
    for (const { texts } of sockets) expect(texts).toHaveLength(2);
    await Promise.all(sockets.map((socket) => socket.close()));
  });
});
