import { hasSecrets } from '../../../shared/delivery/relayReply.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';

/**
 * Characters from which a message is compressed. Shorter ones, such as pongs and most changes, would save less than
 * the overhead of a packet.
 */
const MIN_LENGTH = 4_096;

/** Share of the time that compression may take. A flood of connections then costs at most this much more. */
const SHARE = 0.08;

/** Time in milliseconds that compression may save up, and then take at once. */
const BURST_MS = 20;

/**
 * Chooses the messages and HTTP responses to compress: those of 4 KB or more, while compression takes at most {@link SHARE} of the time of
 * this process. Compression takes longer than the rest of a new connection, so a reply during a flood is sent as it is.
 * Messages with secrets are never compressed: their length would depend on how much the rest resembles a secret.
 *
 * @param monotonic milliseconds with fractions
 */
export function createCompression(monotonic: () => number) {
  let availableMs = BURST_MS;
  let at = monotonic();
  return {
    /** @param send sends the message synchronously, compressed or not */
    send(text: string, send: (compress: boolean) => void): void {
      const startedAt = monotonic();
      availableMs = Math.min(BURST_MS, availableMs + (startedAt - at) * SHARE);
      at = startedAt;
      const compress = text.length >= MIN_LENGTH && availableMs > 0 && !hasSecrets(text);
      send(compress);
      // A large message may take more than is available. The next ones wait for it.
      if (compress) availableMs -= monotonic() - startedAt;
    },
  };
}

/** Of all responses and WebSockets of this process. */
export const compression = createCompression(systemEffects.monotonic);
