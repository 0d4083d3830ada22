import type { HttpBindings } from '@hono/node-server';
import type { BodyGate, OfferCompression } from '../../http/bodyGate.ts';
import type { SendBudget } from '../feeds/sendBudget.ts';

type Outgoing = HttpBindings['outgoing'];

/** Maximum number of bytes of a response that are passed to the network at once. */
const PIECE_BYTES = 64 * 1024;

/** Responses from this size on are counted on Node also if they are one piece. Of each socket, one is in memory. */
const COUNTED_FROM_BYTES = 4_096;

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
      if (bytes > PIECE_BYTES) made.body = inPieces(Buffer.from(body), budget, outgoing);
      else {
        made.body = body;
        if (outgoing && bytes >= COUNTED_FROM_BYTES) count(bytes, budget, outgoing);
      }
    });
    return made.body;
  };
}

/** Counts a response until Node has passed all of it to the network, or the connection is closed. */
function count(bufferedBytes: number, budget: SendBudget, outgoing: Outgoing) {
  const answer = { bufferedBytes, terminate: () => void outgoing.destroy() };
  // Nobody would report the end of one that has ended.
  if (outgoing.destroyed) answer.bufferedBytes = 0;
  budget.note(answer);
  outgoing.once('close', () => budget.forget(answer));
  return answer;
}

/** @param outgoing Node's response, to close the connection; Bun has none, and closes it when the stream fails */
function inPieces(body: Buffer<ArrayBuffer>, budget: SendBudget, outgoing: Outgoing | undefined) {
  let sent = 0;
  const answer = outgoing ? count(body.length, budget, outgoing) : { bufferedBytes: body.length, terminate: () => {} };
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
      const taken = sent;
      controller.enqueue(body.subarray(sent, sent + PIECE_BYTES));
      sent = Math.min(body.length, sent + PIECE_BYTES);
      // Node keeps the last piece until its client reads.
      answer.bufferedBytes = body.length - (outgoing ? taken : sent);
      budget.note(answer);
      if (sent === body.length) controller.close();
    },
    cancel: () => budget.forget(answer),
  });
}
