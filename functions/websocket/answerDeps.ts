import { InvalidRequest } from '../../shared/protocol/message.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { RelayReader } from '../../shared/store/environments/relay.ts';
import type { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { StoreError } from '../../shared/store/table/errors.ts';
import type { ConnectionSender } from '../gateway/connectionSender.ts';
import type { Pace } from '../gateway/pace.ts';

/** Dependencies of answering. */
export interface AnswerDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states' | 'unanswered'>;
  readonly relays: Pick<RelayReader, 'find'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  /** Rate limit for messages after the first of a reply; unlimited by default. */
  readonly pace?: Pick<Pace, 'turn'>;
  readonly effects: Pick<Effects, 'now' | 'random' | 'pause' | 'uuid'>;
}

/** Time limits of an answer, in milliseconds. */
export interface AnswerTime {
  /** Lease: how long pushes wait for the sender. Longer than its call may take. */
  readonly leaseMs: number;
  /** Time at which it gives up, unix milliseconds. */
  readonly deadline: number;
  /** How long a table request is retried; until the deadline by default. */
  readonly retryMs?: number;
}

/** Retries a step until it succeeds or time ends, unless the error is permanent. */
export function persist<T>(
  { effects }: AnswerDeps,
  { deadline, retryMs = Number.POSITIVE_INFINITY }: AnswerTime,
  step: () => Promise<T>,
): Promise<T> {
  return retryUntil(effects, Math.min(deadline, effects.now() + retryMs), step, isTemporary);
}

/** Whether an error is temporary. A deleted environment and a revoked relay are permanent. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof StoreError || error instanceof InvalidRequest);
}

/** `Promise.all` that waits for all promises before it throws. */
export async function allSettled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** For steps that healing repeats if they fail. */
export function ignoreError(): void {}
