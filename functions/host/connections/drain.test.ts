import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestTransport } from '../testing/transport.ts';
import { drain } from './drain.ts';
import { OpenConnections } from './openConnections.ts';

let open: OpenConnections;
beforeEach(() => {
  open = new OpenConnections(600_000, 1_000_000);
});
afterEach(() => open.stop());

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

describe('draining', () => {
  test('closes connections with 1001, each no sooner than its turn', async () => {
    const { transports, closedAt } = connect(4);
    const startedAt = performance.now();
    await drain(open, 120);
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
    await drain(open, 0);
    expect([gone, cutOff]).toEqual([2, []]);
  });

  test('cuts off who does not answer', async () => {
    const { transports } = connect(2, () => {});
    const cutOff: unknown[] = [];
    for (const transport of transports) transport.terminate = () => void cutOff.push(transport);
    await drain(open, 0);
    expect(cutOff).toEqual(transports);
  });
});
