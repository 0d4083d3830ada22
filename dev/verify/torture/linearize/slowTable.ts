import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type AnswerTable, fetchFrom, serveTable } from '../../../support/tableProxy.ts';
import type { Random } from '../random.ts';

/** Time between two slow periods, their duration, and the delay of answers in them: milliseconds. */
const BETWEEN_MS = [1_000, 12_000] as const;
const SPELL_MS = [2_000, 6_000] as const;
const DELAY_MS = [0, 2_500] as const;

/** A slower answer of the table itself also counts as a slow period: the host waits a second for several answers in turn. */
const SLOW_MS = 300;
const KEPT = 2_000;

/** A proxy of the table that is sometimes slow. */
export class SlowTable {
  readonly #random: Random;
  readonly #spells: { readonly from: number; until: number }[] = [];
  /** Open and recent requests to the table. */
  readonly #requests: { readonly from: number; until: number }[] = [];
  #proxy: Awaited<ReturnType<typeof serveTable>> | undefined;
  #isSlow = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Number of slow periods. */
  get spells(): number {
    return this.#spells.length;
  }

  /** Starts the proxy of a table. @returns its own endpoint */
  async open(endpoint: string): Promise<string> {
    const fetch = fetchFrom(endpoint);
    this.#proxy = await serveTable((...request) => this.#pass(fetch, ...request));
    return `http://127.0.0.1:${this.#proxy.port}`;
  }

  close(): void {
    this.#proxy?.close();
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
      // Answers may be late until then.
      spell.until = performance.now() + DELAY_MS[1];
    }
  }

  /** Checks whether it was slow at any moment between two times. */
  readonly wasSlow = (from: number, to: number): boolean =>
    this.#spells.some((spell) => spell.from <= to && spell.until >= from) ||
    this.#requests.some((request) => request.until >= from && Math.min(request.until, to) - request.from > SLOW_MS);

  async #pass(fetch: AnswerTable, ...asked: Parameters<AnswerTable>): Promise<Answer> {
    if (this.#isSlow) await sleep(this.#random.between(...DELAY_MS));
    const request = { from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#requests.push(request);
    // Older requests than the longest data-sync are not needed.
    if (this.#requests.length > KEPT) this.#requests.shift();
    return fetch(...asked).finally(() => {
      request.until = performance.now();
    });
  }
}
