import { RETRY_AFTER } from '../../../shared/protocol/retryAfter.ts';
import type { HostConfig } from '../settings/config.ts';
import { Allowance } from './allowance.ts';
import { clientAddress } from './clientAddress.ts';

/** Bytes of a message that count as much as the message itself. */
const BYTES_PER_UNIT = 1_024;

/** What a data-sync counts in addition, because it evaluates all flags. */
export const SYNC_UNITS = 10;

/** Units of a body whose length is not declared. SDKs and providers declare it. */
const UNDECLARED_UNITS = 512;

/** Paths whose answers evaluate or list all flags. */
const WHOLE_ENVIRONMENT = /\/(?:latest-all|evaluate|evaluate\/flags)\/?$/i;

/** How many HTTP requests of an address may be in progress, for each of its budgets. Clients behind one address ask together after a change. */
const REQUESTS_PER_BUDGET = 10;

/** Requests of one socket that are taken before the first is answered. Browsers, SDKs and proxies send one. */
export const MOST_PIPELINED = 16;

/** Share of all connections that one address may hold. */
const ADDRESS_SHARE = 0.5;

/** Idle addresses that are remembered while their allowance is not full. Then the oldest are forgotten. */
const MOST_ADDRESSES = 10_000;

/** Browsers read the status and the delay from any page. */
const REFUSAL_HEADERS = {
  ...RETRY_AFTER,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
};

/** A limit, as the metric names it. */
export type BudgetLimit = 'messages' | 'pipelining' | 'address messages' | 'address requests' | 'address connections';

/** The units of a message, after inflation. */
export function messageUnits(bytes: number): number {
  return 1 + bytes / BYTES_PER_UNIT;
}

/**
 * The units of an HTTP request: those of its body, and of a data-sync if it evaluates all flags.
 *
 * @param header the value of a header
 */
export function requestUnits(path: string, header: (name: string) => string | null | undefined): number {
  const length = Number(header('content-length') ?? 0);
  const body = header('transfer-encoding') ? UNDECLARED_UNITS : messageUnits(Number.isFinite(length) ? length : 0);
  return body + (WHOLE_ENVIRONMENT.test(path) ? SYNC_UNITS : 0);
}

type BudgetConfig = Pick<HostConfig, 'maxMessagesPerSecond' | 'budgetsPerAddress' | 'trustedProxies'>;

/** What an address uses now. */
interface AddressUse {
  readonly allowance: Allowance;
  connections: number;
  requests: number;
}

/**
 * What one connection and one address may use, as API Gateway limits both: messages and their bytes after inflation,
 * connections, and HTTP requests in progress.
 */
export class ClientBudgets {
  readonly #config: BudgetConfig;
  readonly #mostConnections: number;
  readonly #monotonic: () => number;
  /** Called with each refusal. */
  readonly onExceeded: (limit: BudgetLimit) => void;
  readonly #addresses = new Map<string, AddressUse>();

  constructor(
    config: BudgetConfig,
    mostConnections: number,
    monotonic: () => number,
    onExceeded: (limit: BudgetLimit) => void,
  ) {
    this.#config = config;
    this.#mostConnections = ADDRESS_SHARE * mostConnections;
    this.#monotonic = monotonic;
    this.onExceeded = onExceeded;
  }

  /** Number of addresses in memory. */
  get addresses(): number {
    return this.#addresses.size;
  }

  /** See {@link clientAddress}. */
  addressOf(peer: string | undefined, forwardedFor: () => string | null | undefined): string | undefined {
    const { budgetsPerAddress, trustedProxies } = this.#config;
    if (budgetsPerAddress === 0) return undefined;
    return clientAddress(peer, trustedProxies > 0 ? forwardedFor() : undefined, trustedProxies);
  }

  /** Whether an address may open another connection. */
  mayConnect(address: string | undefined): boolean {
    const connections = (address !== undefined && this.#addresses.get(address)?.connections) || 0;
    if (connections < this.#mostConnections) return true;
    this.onExceeded('address connections');
    return false;
  }

  /** The budget of an opened connection. */
  connect(address: string | undefined): ConnectionBudget {
    const use = this.#use(address);
    if (use) use.connections++;
    return new ConnectionBudget(this, new Allowance(this.#config.maxMessagesPerSecond), use);
  }

  /** Takes units from both allowances. @returns false if one of them is used up */
  take(units: number, own: Allowance, ofAddress: Allowance | undefined): boolean {
    const now = this.#monotonic();
    if (!own.take(units, now)) this.onExceeded('messages');
    else if (ofAddress && !ofAddress.take(units, now)) this.onExceeded('address messages');
    else return true;
    return false;
  }

  /**
   * Answers an HTTP request, or refuses it with 429 if its address has no budget left.
   *
   * @param units see {@link requestUnits}
   */
  answer(
    address: string | undefined,
    units: () => number,
    answer: () => Response | Promise<Response>,
  ): Response | Promise<Response> {
    const use = this.#use(address);
    if (!use) return answer();
    const mayStart = use.requests < this.#config.budgetsPerAddress * REQUESTS_PER_BUDGET;
    if (mayStart && use.allowance.take(units(), this.#monotonic())) return countRequest(use, answer);
    this.onExceeded('address requests');
    return new Response(null, { status: 429, headers: REFUSAL_HEADERS });
  }

  #use(address: string | undefined): AddressUse | undefined {
    if (address === undefined) return undefined;
    const { maxMessagesPerSecond, budgetsPerAddress } = this.#config;
    const known = this.#addresses.get(address);
    const use = known ?? {
      allowance: new Allowance(maxMessagesPerSecond * budgetsPerAddress),
      connections: 0,
      requests: 0,
    };
    // The most recently used is the last.
    this.#addresses.delete(address);
    this.#forgetIdle();
    this.#addresses.set(address, use);
    return use;
  }

  /** Looks at the two addresses that were not used for the longest time, so that the number shrinks with each call. */
  #forgetIdle(): void {
    let looked = 0;
    for (const [address, use] of this.#addresses) {
      if (++looked > 2) return;
      const isIdle = use.connections === 0 && use.requests === 0;
      if (isIdle && (this.#addresses.size > MOST_ADDRESSES || use.allowance.isFull(this.#monotonic()))) {
        this.#addresses.delete(address);
      } else if (!isIdle) {
        this.#addresses.delete(address);
        this.#addresses.set(address, use);
      }
    }
  }
}

async function countRequest(use: AddressUse, answer: () => Response | Promise<Response>): Promise<Response> {
  use.requests++;
  try {
    return await answer();
  } finally {
    use.requests--;
  }
}

/** The budget of one connection. A class, because closures would take more memory. */
export class ConnectionBudget {
  readonly #budgets: ClientBudgets;
  readonly #allowance: Allowance;
  #address: AddressUse | undefined;

  constructor(budgets: ClientBudgets, allowance: Allowance, address: AddressUse | undefined) {
    this.#budgets = budgets;
    this.#allowance = allowance;
    this.#address = address;
  }

  /** Takes units for a message. @returns false if they are used up: the connection is to be closed with 1008 */
  take(units: number): boolean {
    return this.#budgets.take(units, this.#allowance, this.#address?.allowance);
  }

  /** Call when the connection has closed. */
  release(): void {
    if (this.#address) this.#address.connections--;
    this.#address = undefined;
  }
}
