import { isIP } from 'node:net';

/** Names by which this machine reaches itself. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** Characters of a refused name that an answer repeats. */
const SHOWN_LENGTH = 100;

/**
 * The names by which a server may be asked. A page of another site can have its own name resolve to 127.0.0.1 (DNS rebinding),
 * and would then read what is served here as if it were its own; the name that its browser sends gives it away.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;
  readonly #takesAddresses: boolean;

  /**
   * @param more names besides 127.0.0.1, localhost and [::1], without a port
   * @param takesAddresses whether any address is a name, for a server that others reach: no DNS is asked for one
   */
  constructor(more: readonly string[] = [], takesAddresses = false) {
    const names = more.map((name) => (isIP(name) === 6 ? `[${name}]` : name).toLowerCase());
    this.#names = new Set([...OWN_NAMES, ...names]);
    this.#takesAddresses = takesAddresses;
  }

  /** @param host the Host header */
  include(host: string | undefined): boolean {
    const name = HOST.exec(host ?? '')?.[1]?.toLowerCase();
    if (name === undefined) return false;
    return this.#names.has(name) || (this.#takesAddresses && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0);
  }

  /** The answer to a request with another host name. */
  refusal(host: string | undefined): string {
    const names = [...this.#names, ...(this.#takesAddresses ? ['any address'] : [])].join(', ');
    return `Host "${(host ?? '').slice(0, SHOWN_LENGTH)}" is refused. Accepted: ${names}`;
  }
}
