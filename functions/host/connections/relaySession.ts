import { type RelayedEnvironment, relayReply } from '../../../shared/delivery/relayReply.ts';
import { parseRelaySync } from '../../../shared/protocol/relay.ts';
import type { RelayGrant } from '../../../shared/store/environments/relay.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import type { EnvironmentFeed } from '../feeds/environmentFeed.ts';
import { Subscriber } from '../feeds/subscriber.ts';
import type { Transport } from '../transport/transport.ts';
import type { Session, SessionDeps } from './session.ts';

/** An agent's part in one environment: it gets what an SDK for servers gets, over the connection of all. */
class RelaySubscriber extends Subscriber {
  /** An environment that was deleted leaves the agent the others. */
  override close(): void {}
}

/** An environment of the relay's scope. */
interface Part {
  readonly envId: string;
  readonly subscriber: Subscriber;
  /** Where its changes come from, since the last data-sync. */
  feed?: EnvironmentFeed;
}

/** An agent's connection: all environments of its relay's scope. */
export class RelaySession implements Session {
  readonly isRelay = true;
  readonly #deps: SessionDeps;
  readonly #relay: RelayGrant;
  /** Sends what is for all environments. */
  readonly #whole: Subscriber;
  readonly #parts: readonly Part[];
  readonly #release: (transport: Transport) => void;

  constructor(deps: SessionDeps, transport: Transport, relay: RelayGrant, release: (transport: Transport) => void) {
    this.#deps = deps;
    this.#relay = relay;
    this.#whole = new Subscriber('server', transport, deps.sendBudget);
    this.#parts = relay.envIds.map((envId) => ({
      envId,
      subscriber: new RelaySubscriber('server', transport, deps.sendBudget),
    }));
    this.#release = release;
  }

  send(text: string): void {
    this.#whole.send(text);
  }

  /** Changes between a part's reading and the reply are sent after the reply. */
  async sync(data: unknown): Promise<void> {
    const request = parseRelaySync(data);
    await Promise.all(this.#parts.map(({ envId }) => this.#deps.reports?.admit(envId)));
    if (this.#whole.isClosed) return;
    const read = await Promise.all(this.#parts.map((part) => this.#read(part, request.cursors.get(part.envId) ?? 0)));
    await this.#whole.reply(() => {
      for (const [index, { subscriber }] of this.#parts.entries()) subscriber.version = read[index]?.version.updatedAt;
      return relayReply(
        read.flatMap((reading) => (reading ? [this.#relayed(reading)] : [])),
        request,
      ).join();
    });
    this.catchUp();
  }

  /** @returns undefined where the environment was deleted */
  async #read(part: Part, cursor: number): Promise<Reading | undefined> {
    const { envId, subscriber } = part;
    const feed = this.#deps.feeds.of(envId);
    if (part.feed !== feed) part.feed?.remove(subscriber);
    part.feed = feed;
    subscriber.version = undefined;
    feed.add(subscriber);
    try {
      return await feed.read(cursor);
    } catch (error) {
      feed.remove(subscriber);
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  #relayed({ snapshot }: Reading): RelayedEnvironment {
    return { snapshot, secrets: this.#relay.secrets.filter(({ envId }) => envId === snapshot.envId) };
  }

  catchUp(): void {
    for (const { subscriber, feed } of this.#parts) feed?.catchUp(subscriber);
  }

  closed(): void {
    this.#whole.isClosed = true;
  }

  release(): void {
    this.#release(this.#whole.transport);
    for (const { subscriber, feed } of this.#parts) feed?.remove(subscriber);
  }
}
