import type { User } from '../../shared/flags/user.ts';
import { formatFor, type ReplyFormat } from '../../shared/protocol/reply.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { Push } from '../push/pushes.ts';
import type { Transport } from './transport.ts';

/** A connection that has been let in. */
export class Subscriber {
  readonly type: SecretType;
  readonly transport: Transport;
  /** The version up to which it has everything; undefined before its first data-sync, when it gets no pushes. */
  version: number | undefined;
  #format: ReplyFormat | undefined;

  constructor(type: SecretType, transport: Transport) {
    this.type = type;
    this.transport = transport;
  }

  /** Whom it is answered for from now on. */
  asks(user: User | undefined): ReplyFormat {
    this.#format = formatFor(this.type, user);
    return this.#format;
  }

  get format(): ReplyFormat | undefined {
    return this.#format;
  }
}

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
