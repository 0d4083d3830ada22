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

/**
 * Connections healed at the same time, and the pause after them: 100 a second at most. Those that are ended come back at
 * once, each with a handshake and a data-sync, to a service that has just turned some away.
 */
const CONCURRENCY = 10;
const PAUSE_MS = 100;

/** How often a call looks again for connections that have become due. */
const LOOK_EVERY_MS = 1_000;

/** How long before its end a call begins with no further connection. */
const LAST_BEGINNING_MS = 20_000;

/**
 * Makes the handler of a schedule: heals connections that have waited too long for an answer (healConnection.ts), including
 * those that become due while it runs. Connections that came after it began are left to the next call. When most of ten
 * attempts fail, AWS is still refusing, and the rest is left to the next call as well. Calls may overlap.
 */
export function createHeal(deps: HealingDeps) {
  const { connections } = deps;
  const { now, pause } = deps.effects;
  return async (_event: unknown, invocation: Invocation): Promise<void> => {
    const beganAt = now();
    const lastBeginning = beganAt + invocation.getRemainingTimeInMillis() - LAST_BEGINNING_MS;
    const counts = { sent: 0, ended: 0, failed: 0 };
    const done = new Set<string>();
    let waiting = await loadUnanswered();
    while (waiting.length > 0 && (await healDue(waiting)) && now() + LOOK_EVERY_MS <= lastBeginning) {
      await pause(LOOK_EVERY_MS);
      const seen = new Set(waiting.map(({ id }) => id));
      waiting = (await loadUnanswered()).filter(({ id }) => seen.has(id));
    }
    const late = waiting.filter(({ id, since }) => !done.has(id) && since + HEAL_AFTER_MS <= now()).length;
    const { sent, ended, failed } = counts;
    if (sent + ended + failed + late === 0) return;
    log.warn('connections were not answered in time', { sent, ended, failed, waiting: late });
    recordMetrics({ 'healed.waiting': late });

    async function loadUnanswered(): Promise<Unanswered[]> {
      return (await connections.unanswered.load(MAX_NOTES)).filter(({ since }) => since <= beganAt);
    }

    /** Heals those who have waited long enough. @returns false when it should stop */
    async function healDue(notes: readonly Unanswered[]): Promise<boolean> {
      // Those who could not be reached before hold up nobody else.
      const due = notes.filter(isDue).toSorted((a, b) => (a.attempts ?? 0) - (b.attempts ?? 0) || a.since - b.since);
      for (let first = 0; first < due.length; first += CONCURRENCY) {
        if (now() > lastBeginning) return false;
        const batch = due.slice(first, first + CONCURRENCY);
        const results = await Promise.all(batch.map(heal));
        const failed = results.filter((result) => result === 'failed').length;
        if (failed > CONCURRENCY / 2) return false;
        await pause(PAUSE_MS);
      }
      return true;
    }

    function isDue({ since, claimedUntil = 0 }: Unanswered): boolean {
      return Math.max(since + HEAL_AFTER_MS, claimedUntil) <= now();
    }

    async function heal(note: Unanswered): Promise<HealOutcome | 'failed'> {
      try {
        const healed = await healConnection(deps, note);
        done.add(note.id);
        if (healed) counts[healed]++;
        return healed;
      } catch (error) {
        counts.failed++;
        log.warn('connection not healed', { error: error as Error, connectionId: note.id });
        return 'failed';
      }
    }
  };
}
