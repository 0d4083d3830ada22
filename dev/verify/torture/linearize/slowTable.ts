import { once } from 'node:events';
import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';

/** Time between two spells of slowness, how long each is, and how late an answer may be then: milliseconds. */
const BETWEEN_MS = [1_000, 12_000] as const;
const SPELL_MS = [2_000, 6_000] as const;
const DELAY_MS = [0, 2_500] as const;

/** An answer that the table itself takes longer for makes a spell too: the host waits a second, for several in turn. */
const SLOW_MS = 300;
const KEPT = 2_000;

/** A proxy of the table that is sometimes slow. */
export class SlowTable {
  readonly #random: Random;
  readonly #spells: { readonly from: number; until: number }[] = [];
  /** Requests that the table is at, and those that took it long. */
  readonly #requests: { readonly from: number; until: number }[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((asked, answer) => void this.#pass(asked, answer));
  #endpoint = '';
  #isSlow = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Number of slow periods. */
  get spells(): number {
    return this.#spells.length;
  }

  /** Stands before a table from now on. @returns its own address */
  async open(endpoint: string): Promise<string> {
    this.#endpoint = endpoint;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  /** Makes the table slow repeatedly, until it is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(this.#random.between(...BETWEEN_MS), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const spell = { from: performance.now(), until: Number.POSITIVE_INFINITY };
      this.#spells.push(spell);
      this.#isSlow = true;
      await sleep(this.#random.between(...SPELL_MS));
      this.#isSlow = false;
      // Until then there may be answers that are late.
      spell.until = performance.now() + DELAY_MS[1];
    }
  }

  /** Checks whether it was slow at any moment between two times. */
  readonly wasSlow = (from: number, to: number): boolean =>
    this.#spells.some((spell) => spell.from <= to && spell.until >= from) ||
    this.#requests.some((request) => request.until >= from && Math.min(request.until, to) - request.from > SLOW_MS);

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.#isSlow) await sleep(this.#random.between(...DELAY_MS));
    const { headers, method = 'POST' } = asked;
    const request = { from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#requests.push(request);
    // Nobody asks for what is longer ago than a data-sync may take.
    if (this.#requests.length > KEPT) this.#requests.shift();
    const passed = forward(this.#endpoint, { method, headers, agent: this.#agent }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer).on('error', () => {});
      response.on('error', () => answer.destroy());
    });
    passed.on('error', () => answer.destroy());
    passed.on('close', () => {
      request.until = performance.now();
    });
    asked.on('error', () => passed.destroy());
    asked.pipe(passed);
  }
}
