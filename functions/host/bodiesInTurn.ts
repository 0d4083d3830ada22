import type { HttpBindings } from '@hono/node-server';
import type { InTurn } from '../http/inTurn.ts';
import type { SendBudget } from './sendBudget.ts';

/** Counts answers over HTTP in the send budget until they have been read or their connection is closed. */
export function bodiesInTurn(budget: SendBudget): InTurn {
  return async ({ env }, make) => {
    const { outgoing } = env as HttpBindings;
    const made: { body: ReturnType<typeof make> } = { body: '' };
    await budget.whenRoom(() => {
      // A client that has gone needs no answer, and its `close` event has passed.
      if (outgoing.destroyed) return;
      made.body = make();
      const answer = { bufferedBytes: Buffer.byteLength(made.body), terminate: () => void outgoing.destroy() };
      budget.note(answer);
      outgoing.once('close', () => budget.forget(answer));
    });
    return made.body;
  };
}
