import { INBOUND_LIMIT_BYTES, InvalidRequest, PONG, parseMessage } from '../../../shared/protocol/message.ts';
import { AGENT_STATUS } from '../../../shared/protocol/relay.ts';
import type { Effects } from '../../../shared/runtime/effects.ts';
import { retryUntil } from '../../../shared/runtime/retry.ts';
import { authenticateConnection, type KnownKeys, readConnectionQuery } from '../../../shared/store/authenticate.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { type ClientBudgets, type ConnectionBudget, messageUnits, SYNC_UNITS } from '../budgets/clientBudgets.ts';
import type { HostEvents } from '../hostEvents.ts';
import { OVER_BUDGET, REFUSAL, type Transport, type TransportEvents, UNAVAILABLE } from '../transport/transport.ts';
import type { Grants } from './grants.ts';
import type { OpenConnections } from './openConnections.ts';
import { RelaySession } from './relaySession.ts';
import { SdkSession } from './sdkSession.ts';
import type { Session, SessionDeps } from './session.ts';

/** Maximum size of a connection's unhandled messages. A client that sends more is closed with 1008. */
const WAITING_LIMIT = { messages: 64, bytes: 4 * INBOUND_LIMIT_BYTES };

/** How long a data-sync is retried while the table cannot be reached, in milliseconds. */
const RETRY_DEADLINE_MS = 20_000;

/** Dependencies of serving a connection. */
export interface ConnectionDeps extends KnownKeys, SessionDeps {
  readonly grants: Pick<Grants, 'hold'>;
  /** Lookup of relay keys. */
  readonly relayGrants: Pick<Grants, 'hold'>;
  readonly budgets: Pick<ClientBudgets, 'connect' | 'onExceeded'>;
  readonly effects: Effects;
  readonly open: Pick<OpenConnections, 'opened' | 'heard' | 'forget'>;
  readonly events: Pick<HostEvents, 'onOpened' | 'onMessage' | 'onIgnored' | 'onSynced' | 'onRefused' | 'onFailed'>;
}

/**
 * Serves one connection as FeatBit's server does. It accepts the connection first. Then it closes it with 4003 if it is
 * refused, or with 1011 if the table cannot be read.
 *
 * Messages are handled one after another, each after the client has read all earlier answers. A data-sync that cannot
 * be answered closes the connection with 1011, so that its SDK reconnects. Messages above the client's budget close it
 * with 1008. A class, because closures would take twice the memory.
 */
export class ServedConnection implements TransportEvents {
  readonly #deps: ConnectionDeps;
  readonly #transport: Transport;
  readonly #allowed: ConnectionBudget;
  #session: Session | undefined;
  #isOpen = true;
  #waitingMessages = 0;
  #waitingBytes = 0;
  #onDrained: (() => void) | undefined;
  /** Ends when the messages so far are handled. */
  #work: Promise<void>;

  /** @param address of the client, if that has a budget */
  constructor(deps: ConnectionDeps, transport: Transport, query: URLSearchParams, address: string | undefined) {
    this.#deps = deps;
    this.#transport = transport;
    this.#allowed = deps.budgets.connect(address);
    deps.open.opened(transport);
    deps.events.onOpened();
    this.#work = this.#admit(query);
  }

  onMessage(text: string): void {
    if (!this.#isOpen) return;
    const { open, events, effects } = this.#deps;
    events.onMessage();
    open.heard(this.#transport);
    const bytes = Buffer.byteLength(text);
    if (!this.#take(messageUnits(bytes))) return;
    if (bytes > INBOUND_LIMIT_BYTES) {
      events.onIgnored('message over 32 KB');
      return;
    }
    this.#waitingMessages++;
    this.#waitingBytes += bytes;
    if (this.#waitingMessages > WAITING_LIMIT.messages || this.#waitingBytes > WAITING_LIMIT.bytes) {
      this.#deps.budgets.onExceeded('messages');
      this.#closeOverBudget();
      return;
    }
    this.#work = this.#handleNext(this.#work, text, bytes, effects.monotonic());
  }

  onControl(bytes: number): void {
    if (this.#isOpen) this.#take(messageUnits(bytes));
  }

  onDrain(): void {
    if (!this.#isOpen) return;
    this.#deps.sendBudget.note(this.#transport);
    this.#session?.catchUp();
    if (this.#transport.bufferedBytes === 0) this.#onDrained?.();
  }

  onClose(): void {
    this.#isOpen = false;
    this.#deps.open.forget(this.#transport);
    this.#deps.sendBudget.forget(this.#transport);
    this.#allowed.release();
    this.#session?.closed();
    this.#onDrained?.();
    void this.#work.then(() => this.#session?.release());
  }

  async #admit(query: URLSearchParams): Promise<void> {
    const deps = this.#deps;
    const transport = this.#transport;
    try {
      const found = await authenticateConnection(deps, readConnectionQuery(query), deps.effects.now());
      if ('grant' in found) {
        this.#session = new SdkSession(deps, transport, found.grant, deps.grants.hold(found, transport));
      } else if ('relay' in found) {
        const held = { secret: found.secret, grant: found.relay };
        this.#session = new RelaySession(deps, transport, found.relay, deps.relayGrants.hold(held, transport));
      } else {
        deps.events.onRefused(found.reason, found.isSkewed);
        transport.close(...REFUSAL);
      }
    } catch (error) {
      deps.events.onFailed(error);
      transport.close(...UNAVAILABLE);
    }
  }

  async #handleNext(earlier: Promise<void>, text: string, bytes: number, arrivedAt: number): Promise<void> {
    await earlier;
    if (this.#isOpen && this.#transport.bufferedBytes > 0) await this.#untilDrained();
    this.#waitingMessages--;
    this.#waitingBytes -= bytes;
    if (this.#isOpen && this.#session) await this.#handle(this.#session, text, arrivedAt);
  }

  async #handle(session: Session, text: string, arrivedAt: number): Promise<void> {
    const { effects, events } = this.#deps;
    try {
      const { messageType, data } = parseMessage(text);
      if (messageType === 'ping') session.send(PONG);
      else if (messageType === 'echo') session.send(text);
      else if (messageType === 'data-sync') {
        if (!this.#take(SYNC_UNITS)) return;
        // On the monotonic clock: with the wall clock an answer could be lost.
        const clock = { now: effects.monotonic, random: effects.random, pause: effects.pause };
        await retryUntil(clock, arrivedAt + RETRY_DEADLINE_MS, () => session.sync(data), isTemporary);
        events.onSynced(clock.now() - arrivedAt);
      } else if (messageType !== AGENT_STATUS || !session.isRelay) events.onIgnored('unknown type');
    } catch (error) {
      if (error instanceof InvalidRequest) return events.onIgnored(error.message);
      const isDeleted = error instanceof NotFound;
      if (isDeleted) events.onRefused('the environment was deleted');
      else events.onFailed(error);
      const [code, reason] = isDeleted ? REFUSAL : UNAVAILABLE;
      this.#transport.close(code, reason);
    }
  }

  /** @returns false if the client has used up its budget. Its connection is then closed */
  #take(units: number): boolean {
    const isAllowed = this.#allowed.take(units);
    if (!isAllowed) this.#closeOverBudget();
    return isAllowed;
  }

  /** What waits is dropped. */
  #closeOverBudget(): void {
    this.#isOpen = false;
    this.#session?.closed();
    this.#transport.close(...OVER_BUDGET);
    this.#onDrained?.();
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }
}

function isTemporary(error: unknown): boolean {
  return !(error instanceof NotFound || error instanceof InvalidRequest);
}
