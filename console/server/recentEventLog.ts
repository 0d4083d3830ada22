import { type LiveEvent, RECENT_EVENTS } from '../live.ts';

/** Maximum number of environments whose events are kept, the most recent ones. */
const ENVIRONMENTS = 100;

/** The last events of each environment, in bounded memory. */
export class RecentEventLog {
  /** Events by environment, with `''` for events without one. The environment with the newest event is last. */
  readonly #events = new Map<string, LiveEvent[]>();

  /** @param environments of the event. Empty if unknown */
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

  /** The last events of an environment and events without one, oldest first, at most {@link RECENT_EVENTS}. */
  of(envId: string): LiveEvent[] {
    const all = [...(this.#events.get('') ?? []), ...(this.#events.get(envId) ?? [])];
    return all.toSorted((a, b) => a.at - b.at).slice(-RECENT_EVENTS);
  }
}
