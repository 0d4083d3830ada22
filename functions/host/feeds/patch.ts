import { patchFor } from '../../../shared/delivery/patch.ts';
import type { Push } from '../../../shared/delivery/pushes.ts';
import type { Subscriber } from './subscriber.ts';

/** A change to send to subscribers. The message for servers is the same for all, so it is built once. */
export class Patch {
  readonly push: Push;
  #forServers: string | undefined;

  constructor(push: Push) {
    this.push = push;
  }

  /** The message for a subscriber. @returns undefined for a segment if the subscriber is a client */
  messageFor({ type, user }: Subscriber): string | undefined {
    if (type === 'client') return patchFor(this.push.source, { type, user });
    this.#forServers ??= patchFor(this.push.source, { type });
    return this.#forServers;
  }
}
