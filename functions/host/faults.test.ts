import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RawSocket } from '../../dev/support/rawSocket.ts';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import type { Host } from './host.ts';
import { startTestHost } from './testing/host.ts';

useService();

let host: Host;
/** Whether the table's next response is an error. */
let isThrottled: () => boolean;
/** Offset of the wall clock, in milliseconds. */
let jumpMs = 0;
let sockets: RawSocket[] = [];

beforeEach(async () => {
  [jumpMs, sockets] = [0, []];
  isThrottled = () => false;
  const now = () => service.effects.now() + jumpMs;
  host = await startTestHost(() => isThrottled(), { now });
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await host.stop();
});

const put = (key: string, name = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));
const metricsText = async () => (await fetch(`http://127.0.0.1:${host.port}/metrics`)).text();
const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metricsText())?.[1]);

function connect(token: string) {
  const client = new RawSocket(`ws://127.0.0.1:${host.port}/streaming?type=server&token=${token}`);
  sockets.push(client);
  return client;
}

/** Opens a connection and waits for its first reply. */
async function subscribe() {
  const client = connect(encodeToken(service.secrets.server.value, service.effects.now() + jumpMs, 7));
  await client.opened;
  client.send(dataSync(0));
  await until(() => client.texts.length === 1);
  return client;
}

/** The names of the flags of all patches, in order of arrival. */
const pushed = ({ texts }: RawSocket) => texts.slice(1).map((text) => JSON.parse(text).data.featureFlags[0]?.name);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));

describe('a table that throttles', () => {
  test('half of all reads delays changes, and loses none of them', async () => {
    const client = await subscribe();
    // Random, because with alternating failures an operation of two reads would always fail.
    isThrottled = () => Math.random() < 0.5;
    for (const name of numbered(20)) {
      await put('f', name);
      // Each must be found by a separate read.
      await sleep(25);
    }
    await until(() => client.texts.length > 1 && pushed(client).at(-1) === '20');
    expect(pushed(client)).toEqual(numbered(20));
    expect(await metric('flagwire_failures_total')).toBeGreaterThan(0);
    expect(client.isOpen).toBe(true);
  });

  test('every read lets new clients have what is known, and later what has changed', async () => {
    await put('f', '0');
    const early = await subscribe();
    isThrottled = () => true;
    await put('f', '1');
    const late = await subscribe();
    expect(late.texts[0]).toContain('"name":"0"');
    isThrottled = () => false;
    for (const client of [early, late]) await until(() => pushed(client).at(-1) === '1');
    expect([pushed(early), pushed(late)]).toEqual([['1'], ['1']]);
    expect(output.lines().filter(({ message }) => message === 'failed').length).toBeLessThanOrEqual(20);
  });
});

describe('a wall clock that jumps', () => {
  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('%s by an hour closes nobody, and keeps changes in order', async (_, jump) => {
    const client = await subscribe();
    await put('f', '1');
    await until(() => client.texts.length === 2);
    jumpMs = jump;
    const late = await subscribe();
    for (const name of ['2', '3']) await put('f', name);
    for (const each of [client, late]) await until(() => pushed(each).at(-1) === '3');
    expect(pushed(client)).toEqual(['1', '2', '3']);
    expect([client, late].map(({ isOpen }) => isOpen)).toEqual([true, true]);
    for (const [, seconds] of (await metricsText()).matchAll(/_seconds_sum (\S+)/g)) {
      expect(Number(seconds)).toBeGreaterThanOrEqual(0);
    }
  });

  test('makes tokens of before too old, as FeatBit’s server would', async () => {
    const token = encodeToken(service.secrets.server.value, service.effects.now(), 7);
    jumpMs = 3_600_000;
    expect(await connect(token).closed).toMatchObject({ code: 4003 });
    expect(await metric('flagwire_connections_skewed_total')).toBe(1);
    expect(output.text()).toContain('the token is 3600 s old, above the limit of 30 s; check the clock of the client');
  });

  test('does not end the waiting for a table that is away', async () => {
    await host.stop();
    host = await startTestHost(() => isThrottled(), { now: () => service.effects.now() + jumpMs });
    const client = connect(encodeToken(service.secrets.server.value, service.effects.now(), 7));
    await client.opened;
    client.send(dataSync(0));
    isThrottled = () => true;
    jumpMs = 3_600_000;
    await sleep(300);
    isThrottled = () => false;
    await until(() => client.texts.length === 1);
    expect(client.isOpen).toBe(true);
  });
});

describe('a flood of well-formed tokens with secrets that nobody was given', () => {
  test('is refused one by one, with one read for each guess, while others are served', async () => {
    const good = await subscribe();
    const guesses = Array.from({ length: 40 }, () => formatSecret(service.effects.uuid(), service.envId));
    const attempts = guesses.flatMap((secret) =>
      Array.from({ length: 5 }, () => connect(encodeToken(secret, service.effects.now(), 7)).closed),
    );
    await put('f', '1');
    await until(() => pushed(good).at(-1) === '1');
    for (const closed of await Promise.all(attempts)) expect(closed).toMatchObject({ code: 4003 });
    expect(output.lines().filter(({ message }) => message === 'connection refused').length).toBeLessThanOrEqual(20);
    expect(output.text()).not.toContain(guesses[0]);
  });
});
