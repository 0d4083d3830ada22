import { HEARTBEAT_MS } from '../../shared/tier/machineHealth.ts';
import { log } from '../telemetry/log.ts';

/**
 * Writes heartbeats for the front door. A write that fails is logged, and the next one follows.
 *
 * @param beat writes one
 * @returns the timer, which the caller clears when the host stops
 */
export function startHeartbeat(beat: () => Promise<void>): NodeJS.Timeout {
  const write = () => void beat().catch((error: unknown) => log.warn('heartbeat not written', { error }));
  write();
  return setInterval(write, HEARTBEAT_MS);
}
