import { beforeEach, describe, expect, test } from '@jest/globals';
import { createEventLines } from './eventLines.ts';
import { createTrafficEvents } from './trafficEvents.ts';

const AT = Date.UTC(2030, 0);
let now: number;
let lines: string[];
let events: ReturnType<typeof createTrafficEvents>;
let told: ReturnType<typeof createEventLines>;
beforeEach(() => {
  now = AT;
  lines = [];
  told = createEventLines(
    (line) => lines.push(line),
    () => now,
  );
  events = createTrafficEvents(
    (event) => told.tell(event),
    () => now,
  );
});

const connection = (id: string, type = 'server', userAgent?: string) => ({
  apiId: 'api',
  stage: 'streaming',
  connectionId: id,
  connectedAt: AT,
  identity: { sourceIp: '127.0.0.1', ...(userAgent === undefined ? {} : { userAgent }) },
  authorizer: { type },
});
const [server, browser] = [connection('s'), connection('c', 'client', 'Mozilla/5.0 (X11) Chrome/1')];
const request = (user?: object) => JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } });
const message = (eventType: string, featureFlags: object[], segments?: object[]) =>
  JSON.stringify({ messageType: 'data-sync', data: { eventType, featureFlags, segments } });
const flag = (key: string, updatedAt = AT - 1) => ({ key, updatedAt: new Date(updatedAt).toISOString() });
const clientFlag = (id: string, timestamp = AT - 1) => ({ id, timestamp });

/** Has both connect and be answered, and forgets what was told of it. */
function bothAnswered(): void {
  for (const facts of [server, browser]) {
    events.received(facts, request());
    events.sent(facts, message('full', []));
  }
  lines.length = 0;
}

describe('a line tells of', () => {
  test('who comes, and who goes after how long and why', () => {
    events.opened(server);
    events.opened(browser);
    events.opened({ ...connection('a'), authorizer: { envIds: 'one,two' } as never });
    now += 12_300;
    events.closed(browser, { code: 1000 });
    expect(lines).toEqual([
      '+ server SDK connected',
      '+ client SDK (a browser) connected',
      '+ FeatBit’s agent connected',
      '- client SDK (a browser) disconnected after 12 s (code 1000)',
    ]);
  });

  test('who is refused', () => {
    events.refused(403);
    events.refused(429);
    expect(lines).toEqual([
      '! a connection was refused with 403: check its SDK key and its clock',
      '! a connection was refused with 429: too many at once for this account',
    ]);
  });

  test('a data-sync with its answer, and not of what follows in parts', () => {
    events.received(browser, request({ keyId: 'u1' }));
    now += 3;
    events.sent(browser, message('full', [clientFlag('a'), clientFlag('b')]));
    events.sent(browser, message('patch', [clientFlag('c')]));
    events.received(server, request());
    now += 1;
    events.sent(server, message('full', [flag('a')], [{ id: 's' }]));
    now += 1_000;
    events.flush();
    expect(lines).toEqual(['sync u1: 2 flags in 3 ms', 'sync server: 1 flag, 1 segment in 1 ms']);
  });

  test('a change once all have it, with the time from its write to the last of them', () => {
    bothAnswered();
    now += 60;
    events.sent(server, message('patch', [flag('f', AT + 10)], []));
    now += 20;
    events.sent(browser, message('patch', [clientFlag('f', AT + 10)]));
    events.flush();
    expect(lines).toEqual([]);
    now += 150;
    events.flush();
    expect(lines).toEqual(['push f to 2 in 70 ms']);
  });

  test('two changes of a flag apart', () => {
    bothAnswered();
    for (const version of [1, 2]) events.sent(server, message('patch', [flag('f', AT + version)]));
    now += 200;
    events.flush();
    expect(lines).toEqual(['push f to 1 in 0 ms', 'push f to 1 in 0 ms']);
  });
});

test('a name cannot command the terminal, nor fill it', () => {
  events.received(server, request({ keyId: `\u001b[2J\n${'x'.repeat(100)}` }));
  events.sent(server, message('full', []));
  events.opened(connection('a', 'client', '\u009b31m/1'));
  expect(lines).toEqual([
    `sync \\u{1b}[2J\\u{a}${'x'.repeat(55)}… (105 characters): nothing new in 0 ms`,
    '+ client SDK (\\u{9b}31m/1) connected',
  ]);
});

test('pings, what is no JSON and what nobody asked for are not told of', () => {
  for (const text of ['{"messageType":"ping"}', 'x', 'null', '7', '{"messageType":"data-sync","data":null}'])
    events.received(server, text);
  events.sent(browser, message('patch', [flag('f', AT + 1)]));
  events.sent(server, 'x');
  now += 1_000;
  events.flush();
  expect(lines).toEqual([]);
});

test('a change event has a line, which cannot command the terminal', () => {
  const detail = { key: 'f', version: '2030-01-01T00:00:00.000Z', by: 'ann\u001b[2J' };
  told.tellChange({ 'detail-type': 'Flag Changed', detail } as never);
  expect(lines).toEqual(['event: Flag Changed f by ann\\u{1b}[2J']);
});

test('the event of a paused plan has a line with the reason', () => {
  const detail = { key: 'f', reason: 'guard "errors" is in ALARM; the applied steps were undone', by: 'ann' };
  told.tellChange({ 'detail-type': 'Guard Fired', detail } as never);
  expect(lines).toEqual(['event: Guard Fired f: guard "errors" is in ALARM; the applied steps were undone']);
});

test('the new state of an alarm has a line', () => {
  const detail = { alarmName: 'errors', state: { value: 'ALARM' } };
  told.tellChange({ source: 'aws.cloudwatch', detail } as never);
  expect(lines).toEqual(['alarm: errors is ALARM']);
});

test('a rush is told of in 40 lines a second, and how many were left out', () => {
  for (let n = 0; n < 100; n++) events.opened(server);
  expect(lines).toHaveLength(40);
  now += 1_000;
  told.flush();
  expect(lines.slice(40)).toEqual(['… 60 more']);
  events.opened(server);
  expect(lines).toHaveLength(42);
});

test('a change of thousands of flags at once waits in bounded memory', () => {
  bothAnswered();
  events.sent(
    server,
    message(
      'patch',
      Array.from({ length: 1_500 }, (_, n) => flag(`f${n}`, AT + 1)),
    ),
  );
  expect(lines).toHaveLength(38);
});
