import { type ConnectionTotals, LISTED_CONNECTIONS, type LiveEvent, type OpenConnection } from '../live.ts';

/** The open connections, from events. */
export class ConnectionRegistry {
  /** Oldest first. */
  readonly #open = new Map<string, { readonly environments: readonly string[]; shown: OpenConnection }>();
  /** Increases with each change of the list. */
  revision = 0;

  /** @param environments of the event */
  add(event: LiveEvent, environments: readonly string[]): void {
    if (event.type === 'opened') {
      const { connection, kind, sdk, at } = event;
      this.#open.set(connection, { environments, shown: { connection, kind, sdk, since: at, user: '' } });
    } else if (event.type === 'closed') {
      this.#open.delete(event.connection);
    } else if (event.type === 'sync') {
      const open = this.#open.get(event.connection);
      if (open) open.shown = { ...open.shown, user: event.user, syncedAt: event.at };
    } else return;
    this.revision++;
  }

  /** The newest connections of an environment first, at most {@link LISTED_CONNECTIONS}. */
  list(envId: string): OpenConnection[] {
    return this.#of(envId).slice(-LISTED_CONNECTIONS).reverse();
  }

  totals(envId: string): ConnectionTotals {
    const byType = { client: 0, server: 0, relay: 0 };
    for (const { kind } of this.#of(envId)) byType[kind]++;
    return { total: byType.client + byType.server + byType.relay, isAtLeast: false, byType };
  }

  #of(envId: string): OpenConnection[] {
    return [...this.#open.values()].flatMap(({ environments, shown }) => (environments.includes(envId) ? shown : []));
  }
}
