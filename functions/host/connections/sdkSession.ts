import { parseDataSync } from '../../../shared/protocol/message.ts';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import type { EnvironmentFeed } from '../feeds/environmentFeed.ts';
import { Subscriber } from '../feeds/subscriber.ts';
import type { Transport } from '../transport/transport.ts';
import type { Session, SessionDeps } from './session.ts';

/** An SDK's connection: one environment. */
export class SdkSession implements Session {
  readonly isRelay = false;
  readonly #deps: SessionDeps;
  readonly #envId: string;
  readonly #subscriber: Subscriber;
  readonly #onReleased: () => void;
  /** Where it gets changes from, since its last data-sync. */
  #feed: EnvironmentFeed | undefined;

  constructor(deps: SessionDeps, transport: Transport, grant: SecretGrant, onReleased: () => void) {
    this.#deps = deps;
    this.#envId = grant.envId;
    this.#subscriber = new Subscriber(grant.type, transport, deps.budget);
    this.#onReleased = onReleased;
  }

  send(text: string): void {
    this.#subscriber.send(text);
  }

  async sync(data: unknown): Promise<void> {
    const request = parseDataSync(data, this.#subscriber.type);
    await this.#deps.reports?.admit(this.#envId);
    if (this.#subscriber.isClosed) return;
    const feed = this.#deps.feeds.of(this.#envId);
    if (this.#feed !== feed) this.#feed?.remove(this.#subscriber);
    this.#feed = feed;
    await feed.answer(this.#subscriber, request);
  }

  catchUp(): void {
    this.#feed?.catchUp(this.#subscriber);
  }

  closed(): void {
    this.#subscriber.isClosed = true;
  }

  release(): void {
    this.#onReleased();
    this.#feed?.remove(this.#subscriber);
  }
}
