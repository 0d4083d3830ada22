import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MESSAGE_LIMIT_BYTES } from '../../../shared/protocol/message.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { TestTransport } from '../testing/transport.ts';
import { createOpenConnections, type OpenConnections } from './openConnections.ts';

const IDLE_MS = 1_000;
let open: OpenConnections;
let isShortOfMemory = true;
beforeEach(() => {
  jest.useFakeTimers();
  open = createOpenConnections(IDLE_MS, MESSAGE_LIMIT_BYTES, systemEffects.monotonic);
});
afterEach(() => {
  open.stop();
  jest.useRealTimers();
});

test('closes a connection without messages after the idle timeout, within a quarter', () => {
  const [silent, talking] = [new TestTransport(), new TestTransport()];
  open.heard(silent);
  open.heard(talking);
  jest.advanceTimersByTime(IDLE_MS / 2);
  open.heard(talking);
  jest.advanceTimersByTime(IDLE_MS / 2);
  expect(silent.ended).toBeUndefined();
  jest.advanceTimersByTime(IDLE_MS / 4);
  expect([silent.ended, talking.ended]).toEqual(['1001 idle timeout', undefined]);
  expect(open.size).toBe(2);
  open.forget(silent);
  expect(open.size).toBe(1);
});

test('nothing is closed once it was stopped', () => {
  const silent = new TestTransport();
  open.heard(silent);
  open.stop();
  jest.advanceTimersByTime(10 * IDLE_MS);
  expect(silent.ended).toBeUndefined();
});

describe('open connections with ten minutes of idle timeout', () => {
  const heard = () => {
    const connection = new TestTransport();
    open.opened(connection);
    open.heard(connection);
    return connection;
  };
  const ends = (...connections: TestTransport[]) => connections.map(({ ended }) => ended);

  beforeEach(() => {
    open.stop();
    isShortOfMemory = true;
    open = createOpenConnections(600_000, 2 * MESSAGE_LIMIT_BYTES + 1, systemEffects.monotonic, () => isShortOfMemory);
  });

  test('closes a connection that has sent no message within half a minute', () => {
    const [mute, talking, late] = [new TestTransport(), new TestTransport(), new TestTransport()];
    open.opened(mute);
    open.opened(talking);
    jest.advanceTimersByTime(29_000);
    open.heard(talking);
    open.opened(late);
    expect(ends(mute)).toEqual([undefined]);
    jest.advanceTimersByTime(9_000);
    expect(ends(mute, talking, late)).toEqual(['1001 no message', undefined, undefined]);
    open.forget(mute);
    open.forget(late);
    jest.advanceTimersByTime(500_000);
    expect(ends(talking, late)).toEqual([undefined, undefined]);
  });

  test('keeps any number of silent ones while there is memory, as some ping rarely', () => {
    isShortOfMemory = false;
    const silent = Array.from({ length: 5 }, heard);
    jest.advanceTimersByTime(500_000);
    expect(ends(...silent)).toEqual(silent.map(() => undefined));
  });

  test('closes those silent longest while memory is short, beyond a number that fits', () => {
    const first = heard();
    jest.advanceTimersByTime(10_000);
    const others = [heard(), heard()];
    jest.advanceTimersByTime(10_000);
    const talking = heard();
    for (let n = 0; n < 4; n++) {
      jest.advanceTimersByTime(20_000);
      open.heard(talking);
    }
    expect(ends(first, ...others, talking)).toEqual([undefined, undefined, undefined, undefined]);
    jest.advanceTimersByTime(7_500);
    const tooMany = '1001 too many silent connections';
    expect(ends(first, ...others, talking)).toEqual([tooMany, undefined, undefined, undefined]);
    // A closing connection counts until it is closed.
    jest.advanceTimersByTime(7_500);
    expect(ends(...others, talking)).toEqual([undefined, undefined, undefined]);
    open.forget(first);
    jest.advanceTimersByTime(82_000);
    expect(ends(...others, talking)).toEqual([tooMany, undefined, undefined]);
    open.forget(others[0] as TestTransport);
    jest.advanceTimersByTime(300_000);
    expect(ends(others[1] as TestTransport, talking)).toEqual([undefined, undefined]);
  });
});

describe('draining', () => {
  beforeEach(() => {
    jest.useRealTimers();
    open.stop();
    open = createOpenConnections(600_000, 1_000_000, systemEffects.monotonic);
  });

  /** Open connections, and the monotonic time when each was closed. */
  function connect(count: number, onClose: (transport: TestTransport) => void = (transport) => open.forget(transport)) {
    const closedAt: number[] = [];
    const transports = Array.from({ length: count }, () => {
      const transport = new TestTransport();
      const close = transport.close.bind(transport);
      transport.close = (code, reason) => {
        close(code, reason);
        closedAt.push(performance.now());
        onClose(transport);
      };
      open.heard(transport);
      return transport;
    });
    return { transports, closedAt };
  }

  test('closes connections with 1001, each no sooner than its turn', async () => {
    const { transports, closedAt } = connect(4);
    const startedAt = performance.now();
    await open.drain(120);
    expect(transports.map(({ ended }) => ended)).toEqual(Array(4).fill('1001 the server is restarting'));
    // A timer may fire a few milliseconds early.
    for (const [index, at] of closedAt.entries()) expect(at - startedAt).toBeGreaterThanOrEqual(30 * index - 10);
  });

  test('waits for who answers the close, and cuts nobody off who does', async () => {
    let gone = 0;
    const { transports } = connect(2, (transport) => {
      setTimeout(() => {
        gone++;
        open.forget(transport);
      }, 60);
    });
    const cutOff: unknown[] = [];
    for (const transport of transports) transport.terminate = () => void cutOff.push(transport);
    await open.drain(0);
    expect([gone, cutOff]).toEqual([2, []]);
  });

  test('cuts off who does not answer', async () => {
    const { transports } = connect(2, () => {});
    const cutOff: unknown[] = [];
    for (const transport of transports) transport.terminate = () => void cutOff.push(transport);
    await open.drain(0);
    expect(cutOff).toEqual(transports);
  });
});
