import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { TestTransport } from '../testing/transport.ts';
import { SendBudget } from './sendBudget.ts';

let budget: SendBudget;
let sent: string[];

beforeEach(() => {
  jest.useFakeTimers();
  budget = new SendBudget(100, systemEffects.monotonic);
  sent = [];
});
afterEach(() => {
  jest.useRealTimers();
});

/** A connection with this number of unread bytes. */
function unread(bytes: number): TestTransport {
  const transport = new TestTransport();
  transport.bufferedBytes = bytes;
  budget.note(transport);
  return transport;
}

function reads(transport: TestTransport): void {
  transport.bufferedBytes = 0;
  budget.note(transport);
}

const reply = (name: string) => budget.whenRoom(() => sent.push(name));

describe('a reply', () => {
  test('is sent at once while there is room, of whatever size', async () => {
    unread(99);
    await budget.whenRoom(() => unread(5_000));
    expect([budget.totalBytes, budget.isFull]).toEqual([5_099, true]);
  });

  test('waits while there is none, and replies are sent in the order in which they came', async () => {
    const [first, second] = [unread(60), unread(40)];
    const replies = ['a', 'b'].map(reply);
    expect(sent).toEqual([]);
    reads(second);
    await Promise.all(replies);
    expect(sent).toEqual(['a', 'b']);
    reads(first);
    expect(budget.totalBytes).toBe(0);
  });

  test('waits behind earlier ones if it is requested during another one', async () => {
    const first = unread(100);
    let later: Promise<void> | undefined;
    const earlier = budget.whenRoom(() => {
      sent.push('a');
      later = reply('c');
    });
    const next = reply('b');
    reads(first);
    await Promise.all([earlier, next, later]);
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  test('keeps the next one waiting if it fills the room', async () => {
    const first = unread(100);
    const replies = [budget.whenRoom(() => unread(100)), reply('b')];
    reads(first);
    await replies[0];
    expect(sent).toEqual([]);
  });

  test('fails alone if it cannot be made', async () => {
    const first = unread(100);
    const failing = budget.whenRoom(() => {
      throw new Error('no such user');
    });
    const next = reply('b');
    reads(first);
    await expect(failing).rejects.toThrow('no such user');
    await next;
  });
});

describe('connections that leave replies unread', () => {
  test('are ended for replies that waited a second, one for each, the oldest first', () => {
    const stalled = [unread(40), unread(40), unread(40)];
    jest.advanceTimersByTime(500);
    void reply('a');
    jest.advanceTimersByTime(999);
    expect(stalled.map(({ ended }) => ended)).toEqual([undefined, undefined, undefined]);
    jest.advanceTimersByTime(1);
    expect(stalled.map(({ ended }) => ended)).toEqual(['terminated', undefined, undefined]);
    budget.forget(stalled[0] as TestTransport);
    expect(sent).toEqual(['a']);
    jest.advanceTimersByTime(60_000);
    expect(stalled.map(({ ended }) => ended)).toEqual(['terminated', undefined, undefined]);
  });

  test('are left alone while nobody waits, or when they have begun only now', () => {
    const old = unread(100);
    jest.advanceTimersByTime(60_000);
    expect(old.ended).toBeUndefined();
    void reply('a');
    jest.advanceTimersByTime(900);
    budget.forget(old);
    const young = unread(200);
    void reply('b');
    jest.advanceTimersByTime(900);
    expect(young.ended).toBeUndefined();
    jest.advanceTimersByTime(500);
    expect(young.ended).toBe('terminated');
  });

  test('are ended if they read only now and then', () => {
    const trickling = unread(200);
    for (let n = 0; n < 10; n++) {
      jest.advanceTimersByTime(300);
      trickling.bufferedBytes--;
      budget.note(trickling);
      if (n === 5) void reply('a');
    }
    expect(trickling.ended).toBe('terminated');
  });

  test('keep no timer going once nothing waits', () => {
    const stalled = unread(100);
    void reply('a');
    expect(jest.getTimerCount()).toBe(1);
    reads(stalled);
    expect(jest.getTimerCount()).toBe(0);
  });
});

test('has a total equal to what waits, and nothing waits while there is room', () => {
  const steps = fc.array(fc.record({ who: fc.nat(4), bytes: fc.nat(80), isClosed: fc.boolean(), asks: fc.boolean() }));
  fc.assert(
    fc.property(steps, (all) => {
      budget = new SendBudget(100, systemEffects.monotonic);
      const transports = Array.from({ length: 5 }, () => new TestTransport());
      let [asked, started] = [0, 0];
      for (const { who, bytes, isClosed, asks } of all) {
        const transport = transports[who] as TestTransport;
        transport.bufferedBytes = isClosed ? 0 : bytes;
        if (isClosed) budget.forget(transport);
        else budget.note(transport);
        if (asks) {
          asked++;
          void budget.whenRoom(() => started++);
        }
        expect(budget.totalBytes).toBe(transports.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0));
        if (!budget.isFull) expect(started).toBe(asked);
      }
    }),
  );
});
