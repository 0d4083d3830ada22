import type { MachineHealth, MachineState } from './machineHealth.ts';

const MINUTE_MS = 60_000;
/** How long API Gateway must be crowded until the host is wanted. */
const CROWDED_MS = 3 * MINUTE_MS;
/** How long the service must be quiet until the machine is stopped. */
const QUIET_MS = 30 * MINUTE_MS;
/** Minimum time between two changes of the tier. */
const PAUSE_MS = 3 * MINUTE_MS;
/** Minimum time from a launch to a stop. A deployment waits for a new machine, and then for CloudFront's origin, which needs it. */
const RUN_MS = 30 * MINUTE_MS;
/** How often the hint is written although it did not change, because the key-value store may have another one. */
const HINT_MS = 24 * 60 * MINUTE_MS;
/** API Gateway closes each connection within this time, and its client moves to the host. */
const MOVE_MS = 120 * MINUTE_MS;

/** The key of the hint in the key-value store of a front door. Its value is {@link Tier.hinted}. */
export const HINT_KEY = 'tier';

/** `auto` depends on the number of connections. */
export const TIER_MODES = ['auto', 'host', 'gateway'] as const;
export type TierMode = (typeof TIER_MODES)[number];

/** Where clients of a front door are: on its host, or on API Gateway while the machine is stopped. Times are unix milliseconds. */
export interface Tier {
  readonly mode: TierMode;
  /** Who set the mode. */
  readonly by: string;
  readonly wanted: Exclude<TierMode, 'auto'>;
  /** Since when `wanted` is as it is. */
  readonly changedAt: number;
  /** Since when API Gateway has had more than `startAt` connections. */
  readonly crowdedSince: number | undefined;
  /** Since when there have been fewer than `stopAt` connections. */
  readonly quietSince: number | undefined;
  /** The hint for CloudFront, to where it sends handshakes first. Undefined until a write of it has succeeded. */
  readonly hinted?: Exclude<TierMode, 'auto'> | undefined;
  /** Number of its writes. */
  readonly revision: number;
}

/** Numbers of connections. That of hosts is undefined if one cannot report it. */
export type TierCounts = { readonly gateway: number; readonly host: number | undefined };

/** What a decision depends on: the machine of the host, and the connections unless they cannot be read. */
export interface TierObservation {
  readonly machine: Pick<MachineState, 'state' | 'launchedAt'>;
  readonly health: MachineHealth;
  readonly counts: TierCounts | undefined;
}

/**
 * Decides which tier is wanted, and what to do with the machine. The action depends on the state of the machine, not on a change: if a
 * decider ends between its write and its call of EC2, the next one repeats the call.
 *
 * @param state undefined if none is stored: then a running machine is wanted
 * @returns `next`, which is `state` if nothing is to be written, and the `hint` for CloudFront: a host that does not answer would cost each
 *   handshake 1 to 20 s
 */
export function decide(
  state: Tier | undefined,
  { machine, health, counts }: TierObservation,
  { startAt, stopAt }: { readonly startAt: number; readonly stopAt: number },
  now: number,
): { readonly next: Tier; readonly action: 'start' | 'stop' | 'none'; readonly hint: Tier['wanted'] } {
  const before = state ?? firstTier(machine, now);
  // A damaged time in the future must not last.
  const since = (holds: boolean, earlier = now) => (holds ? Math.min(earlier, now) : undefined);
  // A machine that runs although it is not wanted, such as a new one, has clients too.
  const onHost = before.wanted === 'gateway' && machine.state === 'running' ? (counts?.host ?? 0) : 0;
  const load = counts && {
    crowdedSince: since(counts.gateway + onHost > startAt, before.crowdedSince),
    quietSince: since(counts.gateway + (counts.host ?? stopAt) < stopAt, before.quietSince),
  };
  const known = before.changedAt - now < PAUSE_MS ? before.changedAt : now - PAUSE_MS;
  const isPaused = Math.abs(now - known) < PAUSE_MS;
  const target = before.mode === 'auto' ? load && targetFor(load, now) : before.mode;
  const wanted = isPaused ? before.wanted : (target ?? before.wanted);
  const changedAt = wanted === before.wanted ? known : now;
  const hint = health.kind === 'healthy' ? wanted : 'gateway';
  const isHinted = hint === before.hinted && now % HINT_MS >= MINUTE_MS;
  // Stored before the hint is written: a write that fails may have taken effect.
  const next = { ...before, ...load, wanted, changedAt, hinted: isHinted ? hint : undefined };
  const fields = ['wanted', 'changedAt', 'crowdedSince', 'quietSince', 'hinted'] as const;
  const isSame = fields.every((name) => next[name] === state?.[name]);
  return {
    next: state && isSame ? state : { ...next, revision: before.revision + 1 },
    action: actionFor(wanted, machine, now),
    hint,
  };
}

/** Whether API Gateway has been crowded for so long that its clients had the time to move to the host. */
export function isStuck({ wanted, crowdedSince, changedAt }: Tier, now: number): boolean {
  return wanted === 'host' && crowdedSince !== undefined && now - Math.max(changedAt, crowdedSince) > MOVE_MS;
}

function firstTier({ state }: TierObservation['machine'], changedAt: number): Tier {
  const wanted = state === 'stopped' ? 'gateway' : 'host';
  const load = { crowdedSince: undefined, quietSince: undefined };
  return { mode: 'auto', by: 'deployment', wanted, changedAt, ...load, revision: 0 };
}

/** @returns undefined if the tier stays as it is */
function targetFor({ crowdedSince, quietSince }: Pick<Tier, 'crowdedSince' | 'quietSince'>, now: number) {
  if (crowdedSince !== undefined && now - crowdedSince >= CROWDED_MS) return 'host';
  return quietSince !== undefined && now - quietSince >= QUIET_MS ? 'gateway' : undefined;
}

function actionFor(wanted: Tier['wanted'], { state, launchedAt }: TierObservation['machine'], now: number) {
  if (wanted === 'host') return state === 'stopped' ? 'start' : 'none';
  return state === 'running' && now - launchedAt > RUN_MS ? 'stop' : 'none';
}
