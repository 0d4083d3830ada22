import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Context } from 'hono';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { SendBudget } from '../feeds/sendBudget.ts';
import { budgetedBodies } from './budgetedBodies.ts';

const LIMIT = 200_000;

/** A response that is built once there is memory. @param outgoing Node's way to close the connection */
async function answer(
  budget: SendBudget,
  text: string,
  outgoing?: EventEmitter & { destroy(): void; destroyed?: boolean },
) {
  const headers: Record<string, string> = {};
  const header = (name: string, value: string) => {
    headers[name] = value;
  };
  const context = { env: outgoing ? { outgoing } : {}, header } as unknown as Context;
  const body = (await budgetedBodies(budget, (_, use) => use(true))(context, () => text)) as
    | string
    | ReadableStream<Uint8Array>;
  const stream = typeof body === 'string' ? new Blob([body]).stream() : body;
  return { headers, reader: stream.getReader() };
}

describe('an answer over HTTP', () => {
  test('is handed over in pieces of 64 KB, and counts until all of it was taken', async () => {
    const budget = new SendBudget(LIMIT, systemEffects.monotonic);
    const { headers, reader } = await answer(budget, 'é'.repeat(50_000));
    expect(headers).toEqual({ 'content-length': '100000' });
    // One chunk is read ahead.
    expect(budget.totalBytes).toBe(100_000 - 65_536);
    const first = await reader.read();
    const second = await reader.read();
    expect([first.value?.length, second.value?.length]).toEqual([65_536, 100_000 - 65_536]);
    expect((await reader.read()).done).toBe(true);
    expect(budget.totalBytes).toBe(0);
  });

  test('counts on Node until the network has all of it, also if it is one piece', async () => {
    const budget = new SendBudget(LIMIT, systemEffects.monotonic);
    const outgoing = () => Object.assign(new EventEmitter(), { destroy: () => {}, destroyed: false });
    const [small, large, gone] = [outgoing(), outgoing(), outgoing()];
    gone.destroyed = true;
    await answer(budget, 'x'.repeat(60_000), small);
    const { reader } = await answer(budget, 'x'.repeat(100_000), large);
    await answer(budget, 'x'.repeat(60_000), gone);
    while (!(await reader.read()).done);
    expect(budget.totalBytes).toBe(60_000 + 100_000 - 65_536);
    for (const each of [small, large]) each.emit('close');
    expect(budget.totalBytes).toBe(0);
  });

  test('waits for its turn while others have left too much unread', async () => {
    const budget = new SendBudget(LIMIT, systemEffects.monotonic);
    const { reader } = await answer(budget, 'x'.repeat(LIMIT + 65_536));
    let isMade = false;
    const next = answer(budget, 'y').then(() => {
      isMade = true;
    });
    await new Promise(setImmediate);
    expect(isMade).toBe(false);
    await reader.cancel();
    await next;
    expect([isMade, budget.totalBytes]).toEqual([true, 0]);
  });

  test.each(['Node', 'Bun'])('is ended if it stays unread while another waits, on %s', async (runtime) => {
    const budget = new SendBudget(LIMIT, systemEffects.monotonic);
    let reader: Awaited<ReturnType<typeof answer>>['reader'] | undefined;
    const ended = new Promise<void>((resolve) => {
      const destroy = () => void reader?.cancel().then(resolve);
      const outgoing = runtime === 'Node' ? Object.assign(new EventEmitter(), { destroy }) : undefined;
      void answer(budget, 'x'.repeat(LIMIT + 65_536), outgoing).then((made) => {
        reader = made.reader;
        if (!outgoing) void reader.closed.catch((error) => expect(error.message).toMatch(/did not read/)).then(resolve);
      });
    });
    const next = answer(budget, 'y');
    await ended;
    expect((await (await next).reader.read()).value).toEqual(new TextEncoder().encode('y'));
    expect(budget.totalBytes).toBe(0);
  });
});
