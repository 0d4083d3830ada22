import { afterEach, describe, expect, test } from '@jest/globals';
import { type AwsProfile, awsProfiles } from '../awsProfiles.ts';
import { connectClient, refusal, startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { manualClock } from '../testing/manualClock.ts';
import { exampleTemplates, withProperties } from '../testing/templates.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(aws: Partial<AwsProfile>, stage: Record<string, unknown> = {}) {
  const clock = manualClock();
  const templates = withProperties(exampleTemplates, 'Realtime', 'Stage', stage);
  gateway = await startTestGateway({ clock, templates, aws: { ...awsProfiles.default, ...aws } });
  return clock;
}

const open = () => connectClient(`${gateway.streamingUrl}?token=good`);
const ping = '{"messageType":"ping"}';
const limit = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
  ThrottlingRateLimit,
  ThrottlingBurstLimit,
});
const tooMany = { message: 'Too Many Requests', connectionId: expect.any(String), requestId: expect.any(String) };

describe('throttles of a WebSocket API', () => {
  test('connections beyond those a second are refused with 429, before anybody is asked', async () => {
    const clock = await start({ newConnections: { perSecond: 1, burst: 2 } });
    await open();
    await open();
    const refused = await refusal(`${gateway.streamingUrl}?token=crash`);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([429, tooMany]);
    expect(gateway.log).toEqual([]);
    clock.advance(1_000);
    await open();
  });

  test('handshakes and messages of all connections are requests of the account', async () => {
    const clock = await start({ requests: { perSecond: 1, burst: 4 } });
    const [one, two] = [await open(), await open()];
    for (const { socket, next } of [one, two]) {
      socket.send(ping);
      expect(await next()).toContain('pong');
    }
    expect((await refusal(`${gateway.streamingUrl}?token=good`)).status).toBe(429);
    clock.advance(1_000);
    await open();
  });

  test('a message past the limit of its route goes nowhere; other routes and the connection go on', async () => {
    const clock = await start({}, { RouteSettings: { echo: limit(1, 1) } });
    const { socket, next } = await open();
    for (const data of [1, 2]) socket.send(JSON.stringify({ messageType: 'echo', data }));
    socket.send(ping);
    const heard = [await next(), await next()];
    expect(heard.filter((text) => text.includes('pong'))).toHaveLength(1);
    expect(heard.filter((text) => text.includes('"body":"{\\"messageType\\":\\"echo\\",\\"data\\":1}"'))).toHaveLength(
      1,
    );
    clock.advance(1_000);
    socket.send(JSON.stringify({ messageType: 'echo', data: 3 }));
    expect(await next()).toContain('data');
    expect(gateway.log).toEqual([expect.stringMatching(/^websocket streaming: message of \S+ throttled$/)]);
  });

  test('a connection that sends a burst takes few of the account’s executions: nobody is throttled by it', async () => {
    await start({ concurrentExecutions: 12 });
    const { socket, next } = await open();
    const count = 300;
    for (let i = 0; i < count; i++)
      socket.send(JSON.stringify({ messageType: 'echo', data: { do: 'wait', ms: 1, i } }));
    const neighbour = await open();
    neighbour.socket.send(JSON.stringify({ messageType: 'echo', data: 'of the neighbour' }));
    expect(await neighbour.next()).toContain('of the neighbour');
    for (let i = 0; i < count; i++) expect(await next()).toContain('wait');
    expect(gateway.log).toEqual([]);
  });

  test('told so by the profile, it sends a frame for what was throttled', async () => {
    await start({ throttledMessage: 'frame' }, { DefaultRouteSettings: limit(0, 1) });
    const { socket, next } = await open();
    socket.send(ping);
    expect(await next()).toContain('pong');
    socket.send(ping);
    expect(JSON.parse(await next())).toEqual(tooMany);
    expect(socket.readyState).toBe(socket.OPEN);
  });
});
