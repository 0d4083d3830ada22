import type { Push } from '../../shared/delivery/pushes.ts';
import type { Subscriber } from './subscriber.ts';

/** A change on its way to subscribers; what servers get of it is the same for all, and made once. */
export class Patch {
  readonly push: Push;
  #forServers: string | undefined;

  constructor(push: Push) {
    this.push = push;
  }

  /** The message for a subscriber. @returns undefined when it is none of its business */
  messageFor({ type, format }: Subscriber): string | undefined {
    if (type === 'server' && this.#forServers !== undefined) return this.#forServers;
    const item = format?.item(this.push.source);
    const message = item && format?.wrap('patch', [item]);
    if (type === 'server') this.#forServers = message;
    return message;
  }
}
