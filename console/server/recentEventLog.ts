import { type LiveEvent, RECENT_EVENTS } from '../live.ts';

/** Environments whose events are kept: the last ones in which something happened. */
const ENVIRONMENTS = 100;

/** The last events of each environment, in bounded memory. */
export class RecentEventLog {
  /** By environment; `''` for events that belong to none. The one with the newest event is last. */
  readonly #events = new Map<string, LiveEvent[]>();

  /** @param environments where it happened; none where that is not known */
  add(event: LiveEvent, environments: readonly string[]): void {
    for (const envId of environments.length === 0 ? [''] : environments) {
      const events = this.#events.get(envId) ?? [];
      events.push(event);
      if (events.length > RECENT_EVENTS) events.shift();
      this.#events.delete(envId);
      this.#events.set(envId, events);
      if (this.#events.size > ENVIRONMENTS) this.#events.delete(this.#events.keys().next().value ?? '');
    }
  }

  /** An environment's last events and those that belong to none, oldest first; {@link RECENT_EVENTS} at most. */
  of(envId: string): LiveEvent[] {
    const all = [...(this.#events.get('') ?? []), ...(this.#events.get(envId) ?? [])];
    return all.toSorted((a, b) => a.at - b.at).slice(-RECENT_EVENTS);
  }
}
