import type { HttpBindings } from '@hono/node-server';
import type { BodyGate, OfferCompression } from '../../http/bodyGate.ts';
import type { SendBudget } from '../feeds/sendBudget.ts';

/** Maximum number of bytes of a response that are passed to the network at once. */
const PIECE_BYTES = 64 * 1024;

/** Counts HTTP responses in the send budget until the network has accepted them or the connection is closed. */
export function budgetedBodies(budget: SendBudget, offerCompression: OfferCompression): BodyGate {
  return async (context, make) => {
    const { outgoing } = context.env as Partial<HttpBindings>;
    const made: { body: ReturnType<typeof inPieces> | ReturnType<typeof make> } = { body: '' };
    await budget.whenRoom(() => {
      const body = make(offerCompression);
      const bytes = Buffer.byteLength(body);
      context.header('content-length', String(bytes));
      // One piece is passed to the network at once, so it needs no stream.
      made.body = bytes <= PIECE_BYTES ? body : inPieces(Buffer.from(body), budget, outgoing);
    });
    return made.body;
  };
}

/** @param outgoing Node's response, to close the connection; Bun has none, and closes it when the stream fails */
function inPieces(body: Buffer<ArrayBuffer>, budget: SendBudget, outgoing: Partial<HttpBindings>['outgoing']) {
  let sent = 0;
  const answer = { bufferedBytes: body.length, terminate: () => void outgoing?.destroy() };
  budget.note(answer);
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (outgoing) return;
      answer.terminate = () => {
        budget.forget(answer);
        controller.error(new Error('the client did not read the response'));
      };
    },
    pull(controller) {
      controller.enqueue(body.subarray(sent, sent + PIECE_BYTES));
      sent = Math.min(body.length, sent + PIECE_BYTES);
      answer.bufferedBytes = body.length - sent;
      budget.note(answer);
      if (sent === body.length) controller.close();
    },
    cancel: () => budget.forget(answer),
  });
}
