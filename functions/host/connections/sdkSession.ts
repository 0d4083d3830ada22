import { parseDataSync } from '../../../shared/protocol/message.ts';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import type { EnvironmentFeed } from '../feeds/environmentFeed.ts';
import { Subscriber } from '../feeds/subscriber.ts';
import type { Transport } from '../transport/transport.ts';
import type { Session, SessionDeps } from './session.ts';

/** An SDK's connection: one environment. */
export class SdkSession extends Subscriber implements Session {
  readonly isRelay = false;
  readonly #deps: SessionDeps;
  readonly #envId: string;
  readonly #release: (transport: Transport) => void;
  /** Where it gets changes from, since its last data-sync. */
  #feed: EnvironmentFeed | undefined;

  constructor(deps: SessionDeps, transport: Transport, grant: SecretGrant, release: (transport: Transport) => void) {
    super(grant.type, transport, deps.sendBudget);
    this.#deps = deps;
    this.#envId = grant.envId;
    this.#release = release;
  }

  async sync(data: unknown): Promise<void> {
    const request = parseDataSync(data, this.type);
    await this.#deps.reports?.admit(this.#envId);
    if (this.isClosed) return;
    const feed = this.#deps.feeds.of(this.#envId);
    if (this.#feed !== feed) this.#feed?.remove(this);
    this.#feed = feed;
    await feed.answer(this, request);
  }

  catchUp(): void {
    this.#feed?.catchUp(this);
  }

  closed(): void {
    this.isClosed = true;
  }

  release(): void {
    this.#release(this.transport);
    this.#feed?.remove(this);
  }
}
