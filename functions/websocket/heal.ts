import type { Unanswered } from '../../shared/store/unanswered.ts';
import type { Invocation } from '../push/deliver.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { type HealingDeps, type HealOutcome, healConnection } from './healConnection.ts';

/**
 * How long a connection may wait for an answer before it is healed, in milliseconds. SDKs ask as soon as they are
 * connected, and the function that answers has 28 s.
 */
const HEAL_AFTER_MS = 30_000;

/** Connections looked at in one call, so that its memory and time are bounded. */
const MAX_NOTES = 10_000;

/** Connections healed at the same time; a slow one holds up no other. */
const CONCURRENCY = 10;

/**
 * The pause after each: 100 a second at most. Those that are ended come back at once, each with a handshake and a data-sync,
 * to a service that has just turned some away.
 */
const PAUSE_MS = 10;

/** How often a call looks again for connections that have become due. */
const LOOK_EVERY_MS = 1_000;

/** How long before its end a call begins with no further connection. */
const LAST_BEGINNING_MS = 20_000;

/** How long before its end a call sends nothing more: a post, and the notes of how far it came, take a few seconds. */
const LAST_SENDING_MS = 8_000;

/** How long a connection may wait after it is due before it is reported: until the call that should heal it has ended. */
const REPORT_AFTER_MS = 60_000;

/**
 * Makes the handler of a schedule: heals connections that have waited too long for an answer (healConnection.ts), including
 * those that become due while it runs. Connections that came after it began are left to the next call. When most of the last
 * ten attempts failed, AWS is still refusing, and the rest is left to the next call as well. Calls may overlap.
 *
 * What earlier calls have left is recorded before anything is done, as one that is killed records nothing at its end.
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
    /** Which of the last attempts failed. */
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

    async function loadUnanswered(): Promise<Unanswered[]> {
      return (await connections.unanswered.load(MAX_NOTES)).filter(({ since }) => since <= beganAt);
    }

    /** Begins with those who have waited long enough, as there is room. @returns false when no further one may begin */
    async function beginDue(notes: readonly Unanswered[]): Promise<boolean> {
      // Those who were tried before hold up nobody else.
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

    function isDue(note: Unanswered): boolean {
      const { id, claimedUntil = 0 } = note;
      return !outcomes.get(id) && !running.has(id) && Math.max(dueAt(note), claimedUntil) <= now();
    }

    async function heal(note: Unanswered): Promise<void> {
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

/** When a connection may be healed: a message that is still under way to it arrives before. */
function dueAt({ since, notedAt = since }: Unanswered): number {
  return notedAt + HEAL_AFTER_MS;
}
