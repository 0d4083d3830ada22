import { encodeToken } from '../../../shared/protocol/token.ts';
import { SDKS } from '../../scenarios/sdks.ts';
import { pingInTurn } from '../../testbed/pingInTurn.ts';
import { type Address, SdkSocket } from '../../testbed/sdkSocket.ts';

/** What a crowd met: times in milliseconds since it began to come. */
export interface Met {
  readonly answeredAt: readonly number[];
  /** How long each took that was let in at its first attempt: to be let in, and then to be answered. */
  readonly firstTry: readonly { readonly connectMs: number; readonly syncMs: number }[];
  /** Refused handshakes, by their HTTP status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Connections that ended otherwise than by a refusal, in words: the run says nothing then. */
  readonly errors: readonly string[];
}

/** Connections with a browser's SDK: each comes when it is due, and again after its back-off where it is refused. */
export class Crowd {
  readonly #address: Address;
  readonly #clientKey: string;
  readonly #open = new Set<SdkSocket>();
  /** When changes arrived, by their version: milliseconds since the epoch. */
  readonly #arrivals = new Map<number, number[]>();

  constructor(address: Address, clientKey: string) {
    this.#address = address;
    this.#clientKey = clientKey;
  }

  /** Lets so many come, at a rate. @returns once each has been answered, or the patience is over */
  async come(count: number, perSecond: number, patienceMs: number): Promise<Met> {
    const answeredAt: number[] = [];
    const firstTry: { connectMs: number; syncMs: number }[] = [];
    const errors: string[] = [];
    const beganAt = performance.now();
    const over = Promise.withResolvers<void>();
    const refused: Record<string, number> = {};

    const attempt = (connection: number, refusals: number): void => {
      const socket: SdkSocket = new SdkSocket(`crowd-${connection}`, this.#address, this.#target(), {
        onText: (_, text) => {
          if (socket.answeredAt > 0) return this.#takeChange(text);
          socket.answeredAt = performance.now();
          answeredAt.push(socket.answeredAt - beganAt);
          if (refusals === 0) {
            firstTry.push({
              connectMs: socket.syncedAt - socket.beganAt,
              syncMs: socket.answeredAt - socket.syncedAt,
            });
          }
          if (answeredAt.length === count) over.resolve();
        },
        onEnd: (_, why) => {
          this.#open.delete(socket);
          if (!why?.startsWith('refused: ')) {
            errors.push(why ?? 'ended');
            return;
          }
          const [status = ''] = /(?<=HTTP\/1[.]1 )\d+/.exec(why) ?? [];
          refused[status] = (refused[status] ?? 0) + 1;
          const pauseSeconds = SDKS['js-client'].backOffSeconds(refusals + 1, 0);
          setTimeout(() => attempt(connection, refusals + 1), pauseSeconds * 1_000);
        },
      });
      this.#open.add(socket);
    };

    const patience = setTimeout(over.resolve, patienceMs);
    let come = 0;
    const arrivals = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - beganAt) / 1_000) * perSecond) + 1);
      while (come < due) attempt(come++, 0);
      if (come === count) clearInterval(arrivals);
    }, 5);
    await over.promise;
    clearTimeout(patience);
    return { answeredAt, firstTry, refused, errors };
  }

  /** Lets every connection that was answered ping in its turn from now on, each once in so many seconds. */
  keepPinging(seconds: number): void {
    pingInTurn(this.#open, seconds, (socket) => {
      if (socket.answeredAt > 0) socket.ping();
    });
  }

  /** When a change arrived, at each connection that has it. */
  arrivals(version: number): readonly number[] {
    return this.#arrivals.get(version) ?? [];
  }

  #takeChange(text: string): void {
    if (!text.includes('"eventType":"patch"')) return;
    const version = Number(/"timestamp":(\d+)/.exec(text)?.[1]);
    const times = this.#arrivals.get(version) ?? [];
    this.#arrivals.set(version, times);
    times.push(performance.timeOrigin + performance.now());
  }

  #target(): string {
    return `/streaming?type=client&token=${encodeToken(this.#clientKey, Date.now(), 7)}`;
  }
}
