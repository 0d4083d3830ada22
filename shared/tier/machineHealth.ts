const MINUTE_MS = 60_000;

/** How often a host behind a front door writes a heartbeat, in milliseconds. */
export const HEARTBEAT_MS = MINUTE_MS / 2;
/** How long the heartbeat may stay the same. Calls come once a minute, and some writes may fail. */
const SILENCE_MS = 3 * MINUTE_MS;
/** How long a machine must be well until handshakes go to it first again. Each change of the hint costs money. */
const RECOVERY_MS = 5 * MINUTE_MS;

/** What EC2 says of a machine. */
export interface MachineState {
  readonly isRunning: boolean;
  /** Whether a status check of the system or the instance fails. A check without a result, as after a start, does not. */
  readonly isImpaired: boolean;
}

/** Whether the machine of a front door can take handshakes. Times are unix milliseconds. */
export type MachineHealth =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly reason: 'not running' | 'status check failed' | 'no heartbeat' }
  | { readonly kind: 'recovering'; readonly since: number };

/** The health of a machine, and what the next decision about it needs. */
export interface HealthRecord {
  readonly health: MachineHealth;
  /** The last heartbeat, a number without a meaning. Undefined if there was none. */
  readonly heartbeat: number | undefined;
  /** When it was first seen, by the clock of the observer: that of the machine may be wrong. */
  readonly heardAt: number;
}

/**
 * Decides the health of a machine from one observation a minute.
 *
 * @param before the result of the last call; undefined at the first one, which takes a running machine as healthy
 * @param heartbeat the heartbeat in the table
 * @param now unix milliseconds
 */
export function observeMachine(
  before: HealthRecord | undefined,
  machine: MachineState,
  heartbeat: number | undefined,
  now: number,
): HealthRecord {
  // A damaged time in the future must not last.
  const heardAt = before && heartbeat === before.heartbeat ? Math.min(before.heardAt, now) : now;
  const reason = reasonOf(machine, now - heardAt);
  return { health: reason ? { kind: 'unhealthy', reason } : healthAfter(before?.health, now), heartbeat, heardAt };
}

function reasonOf({ isRunning, isImpaired }: MachineState, silenceMs: number) {
  if (!isRunning) return 'not running';
  if (isImpaired) return 'status check failed';
  return silenceMs >= SILENCE_MS ? 'no heartbeat' : undefined;
}

/** The health of a machine that is well now. */
function healthAfter(before: MachineHealth | undefined, now: number): MachineHealth {
  if (before?.kind === 'unhealthy') return { kind: 'recovering', since: now };
  if (before?.kind !== 'recovering') return { kind: 'healthy' };
  const since = Math.min(before.since, now);
  return now - since >= RECOVERY_MS ? { kind: 'healthy' } : { kind: 'recovering', since };
}
