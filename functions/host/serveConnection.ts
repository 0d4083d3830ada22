import { INBOUND_LIMIT_BYTES, InvalidRequest, PONG, parseMessage } from '../../shared/protocol/message.ts';
import { AGENT_STATUS } from '../../shared/protocol/relay.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import { NotFound } from '../../shared/store/errors.ts';
import { type AdmissionParts, admit } from './admission.ts';
import type { Admitted } from './session.ts';
import { REFUSAL, type Transport, type TransportEvents, UNAVAILABLE } from './transport.ts';

/** The most that a connection's unhandled messages may take; a client that sends more is cut off. */
const WAITING_LIMIT = { messages: 64, bytes: 4 * INBOUND_LIMIT_BYTES };

/** How long a data-sync is retried while the table cannot be reached. */
const PATIENCE_MS = 20_000;

/** One that never jumps: with the wall clock an answer could be lost. */
const clock = { ...systemEffects, now: systemEffects.monotonic };

/** What serving a connection needs, and whom it tells. */
export interface SessionParts extends AdmissionParts {
  readonly onIgnored: (reason: string) => void;
  readonly onSynced: (milliseconds: number) => void;
}

/**
 * Serves one connection as FeatBit's server does. It is accepted first, and closed with 4003 when it is refused, or with
 * 1011 when the table cannot be asked. Its messages are handled one after another, each when the client has read all answers
 * before it. A data-sync that cannot be answered closes it with 1011, so that its SDK comes back.
 */
export function serveConnection(parts: SessionParts, transport: Transport, query: URLSearchParams): TransportEvents {
  const waiting = { messages: 0, bytes: 0 };
  let isOpen = true;
  let admitted: Admitted | undefined;
  let onDrained = () => {};
  let work: Promise<void> = admit(parts, transport, query).then((result) => {
    admitted = result;
  });
  const untilDrained = () =>
    new Promise<void>((resolve) => {
      onDrained = resolve;
    });
  return {
    onMessage(text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > INBOUND_LIMIT_BYTES) return parts.onIgnored('message over 32 KB');
      waiting.messages++;
      waiting.bytes += bytes;
      if (waiting.messages > WAITING_LIMIT.messages || waiting.bytes > WAITING_LIMIT.bytes) {
        parts.onIgnored('too many messages at once');
        transport.terminate();
        return;
      }
      const arrivedAt = performance.now();
      work = work.then(async () => {
        if (isOpen && transport.bufferedBytes > 0) await untilDrained();
        waiting.messages--;
        waiting.bytes -= bytes;
        if (isOpen && admitted) await handle(parts, transport, admitted, text, arrivedAt);
      });
    },
    onDrain() {
      if (!isOpen) return;
      parts.budget.note(transport);
      admitted?.catchUp();
      if (transport.bufferedBytes === 0) onDrained();
    },
    onClose() {
      isOpen = false;
      parts.budget.forget(transport);
      admitted?.closed();
      onDrained();
      void work.then(() => admitted?.release());
    },
  };
}

async function handle(
  parts: SessionParts,
  transport: Transport,
  admitted: Admitted,
  text: string,
  arrivedAt: number,
): Promise<void> {
  try {
    const { messageType, data } = parseMessage(text);
    if (messageType === 'ping') admitted.send(PONG);
    else if (messageType === 'echo') admitted.send(text);
    else if (messageType === 'data-sync') {
      await retryUntil(arrivedAt + PATIENCE_MS, () => admitted.sync(data), isTemporary, clock);
      parts.onSynced(performance.now() - arrivedAt);
    } else if (messageType !== AGENT_STATUS || !admitted.isRelay) parts.onIgnored('unknown type');
  } catch (error) {
    if (error instanceof InvalidRequest) return parts.onIgnored(error.message);
    const isDeleted = error instanceof NotFound;
    if (isDeleted) parts.onRefused('the environment was deleted');
    else parts.onFailed(error);
    const [code, reason] = isDeleted ? REFUSAL : UNAVAILABLE;
    transport.close(code, reason);
  }
}

function isTemporary(error: unknown): boolean {
  return !(error instanceof NotFound || error instanceof InvalidRequest);
}
