import type { HttpBindings } from '@hono/node-server';
import type { InTurn } from '../http/inTurn.ts';
import type { SendBudget } from './sendBudget.ts';

/** Counts answers over HTTP among all that waits to be read, until each has been read or its connection is closed. */
export function bodiesInTurn(budget: SendBudget): InTurn {
  return async ({ env }, make) => {
    const { outgoing } = env as HttpBindings;
    const made: { body: ReturnType<typeof make> } = { body: '' };
    await budget.whenRoom(() => {
      // Who has gone meanwhile needs no answer, and would not be told of as closed again.
      if (outgoing.destroyed) return;
      made.body = make();
      const answer = { bufferedBytes: Buffer.byteLength(made.body), terminate: () => void outgoing.destroy() };
      budget.note(answer);
      outgoing.once('close', () => budget.forget(answer));
    });
    return made.body;
  };
}
