import type { UnansweredConnection } from '../../shared/store/connections/unanswered.ts';
import type { Invocation } from '../push/deliver.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { type HealingDeps, type HealOutcome, healConnection } from './healConnection.ts';

/**
 * How long a connection waits for an answer before it is healed, in milliseconds. SDKs ask as soon as they are connected, and the
 * function that answers has 28 s.
 */
const HEAL_AFTER_MS = 30_000;

/** Connections examined in one call; bounds its memory and time. */
const MAX_NOTES = 10_000;

/** Connections healed at the same time; a slow one does not delay the others. */
const CONCURRENCY = 10;

/**
 * The pause after each connection: at most 100 a second. Closed SDKs reconnect at once, each with a handshake and a data-sync, to
 * a service that has just refused some.
 */
const PAUSE_MS = 10;

/** Time between two looks for connections that have become due. */
const LOOK_EVERY_MS = 1_000;

/** How long before its end a call stops starting with connections. */
const LAST_BEGINNING_MS = 20_000;

/** How long before its end a call stops sending: a post and the record of progress take a few seconds. */
const LAST_SENDING_MS = 8_000;

/** How long a due connection may wait before it is reported: until the call that should heal it has ended. */
const REPORT_AFTER_MS = 60_000;

/**
 * Creates the handler of a schedule. It heals connections that have waited too long for an answer (healConnection.ts), including
 * those that become due while it runs. Connections that arrived after it started are left to the next call. If most of the last
 * ten attempts failed, AWS still refuses requests, and the rest is left to the next call. Calls may overlap.
 *
 * It records the backlog at its start, since a killed call records nothing at its end.
 */
export function createHeal(deps: HealingDeps) {
  const { connections } = deps;
  const { now, pause } = deps.effects;
  return async (_event: unknown, invocation: Invocation): Promise<void> => {
    const beganAt = now();
    const endsAt = beganAt + invocation.getRemainingTimeInMillis();
    const counts = { sent: 0, ended: 0, 'given up': 0, failed: 0 };
    /** What became of those that were looked at last without an error. */
    const outcomes = new Map<string, HealOutcome>();
    const running = new Map<string, Promise<void>>();
    /** Failures among the last attempts. */
    const failures: boolean[] = [];
    let waiting = await loadUnanswered();
    const overdue = waiting.filter((note) => dueAt(note) + REPORT_AFTER_MS <= beganAt).length;
    if (overdue > 0) recordMetrics({ 'healed.waiting': overdue });
    while (await beginDue(waiting)) {
      const others = waiting.filter(({ id }) => !outcomes.get(id) && !running.has(id));
      if (others.length === 0 || now() + LOOK_EVERY_MS > endsAt - LAST_BEGINNING_MS) break;
      await pause(LOOK_EVERY_MS);
      const seen = new Set(others.map(({ id }) => id));
      waiting = (await loadUnanswered()).filter(({ id }) => seen.has(id) || running.has(id));
    }
    await Promise.all(running.values());
    const late = waiting.filter((note) => !outcomes.has(note.id) && dueAt(note) <= now()).length;
    const { sent, ended, 'given up': givenUp, failed } = counts;
    if (sent + ended + givenUp + failed + late === 0) return;
    log.warn('connections were not answered in time', { sent, ended, givenUp, failed, waiting: late });
    recordMetrics({ 'healed.waiting': late + givenUp });

    async function loadUnanswered(): Promise<UnansweredConnection[]> {
      return (await connections.unanswered.load(MAX_NOTES)).filter(({ since }) => since <= beganAt);
    }

    /** Starts with connections that are due, as far as there is room. @returns false if no further one may start */
    async function beginDue(notes: readonly UnansweredConnection[]): Promise<boolean> {
      // Connections that were tried before come last.
      const due = notes
        .filter(isDue)
        .toSorted((a, b) => (a.claimedUntil ?? 0) - (b.claimedUntil ?? 0) || dueAt(a) - dueAt(b));
      for (const note of due) {
        if (running.size >= CONCURRENCY) await Promise.race(running.values());
        if (!mayBegin()) return false;
        running.set(
          note.id,
          heal(note).finally(() => running.delete(note.id)),
        );
        await pause(PAUSE_MS);
      }
      return mayBegin();
    }

    function mayBegin(): boolean {
      return now() <= endsAt - LAST_BEGINNING_MS && failures.filter(Boolean).length <= CONCURRENCY / 2;
    }

    function isDue(note: UnansweredConnection): boolean {
      const { id, claimedUntil = 0 } = note;
      return !outcomes.get(id) && !running.has(id) && Math.max(dueAt(note), claimedUntil) <= now();
    }

    async function heal(note: UnansweredConnection): Promise<void> {
      let isFailed = false;
      try {
        const healed = await healConnection(deps, note, endsAt - LAST_SENDING_MS);
        outcomes.set(note.id, healed);
        if (healed) counts[healed]++;
      } catch (error) {
        isFailed = true;
        outcomes.delete(note.id);
        counts.failed++;
        log.warn('connection not healed', { error: error as Error, connectionId: note.id });
      }
      failures.push(isFailed);
      if (failures.length > CONCURRENCY) failures.shift();
    }
  };
}

/** Time at which a connection may be healed; messages in flight have arrived by then. */
function dueAt({ since, notedAt = since }: UnansweredConnection): number {
  return notedAt + HEAL_AFTER_MS;
}
