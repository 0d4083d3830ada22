import type { User } from '../../shared/flags/user.ts';
import { Session, type Subscription } from '../processor.mjs';
import { pauseSeconds, type Sdk } from '../scenarios/sdks.ts';
import type { Recorder } from './recorder.ts';
import { ClientSubscription } from './subscription.ts';

/** What is used of artillery's WebSocket. */
export interface Socket {
  send(text: string): void;
  on(event: string, listener: (argument: never) => void): void;
  removeAllListeners(event: string): void;
  close(): void;
}

/** A connection: when it began to connect, and when everybody leaves, on the clock of `performance.now`. */
interface Connection {
  readonly socket: Socket;
  readonly beganAt: number;
  readonly endsAt: number;
  readonly report: Recorder;
}

/** One connection of an SDK. */
class SdkSession extends Session {
  /** Codes of a close after which the SDK never comes back. */
  stopsAt: readonly number[] = [];
  /** Whether the server ended it, and the SDK comes back. */
  isLost = false;

  override closed(code: number): void {
    this.isLost = !this.stopsAt.includes(code);
    if (this.isLost) this.end();
    else super.closed(code);
  }
}

/**
 * Lives as one SDK, as its sources have it, over as many connections as it takes: pings, a user who identifies as somebody else, and coming
 * back when it was closed.
 *
 * @param first the connection that it has, which its opener closes
 * @param open opens one more, with a fresh token, or throws when it is refused
 * @param messages its pings
 * @param other who it identifies as at some time by chance, where it does
 */
export async function liveAs(
  sdk: Sdk,
  subscription: Subscription,
  first: Connection,
  open: () => Promise<Socket>,
  messages: { readonly ping: number },
  other?: User,
): Promise<void> {
  const { endsAt, report } = first;
  let session = new SdkSession(first, subscription);
  const identifies = setTimeout(
    () => {
      if (session.isOver || !other || !(subscription instanceof ClientSubscription)) return;
      subscription.identify(other);
      // What ends the session is counted below.
      session.sync('identify').catch(() => {});
    },
    Math.random() * (endsAt - performance.now()),
  );
  /** Attempts to come back, since it was last connected or, where the SDK does so, since its process began. */
  let attempts = 0;
  /** @returns the next connection; undefined when the run was over before */
  const comeBack = async (): Promise<Connection | undefined> => {
    for (;;) {
      const pauseMs = pauseSeconds(sdk, attempts++, Math.random()) * 1_000;
      if (performance.now() + pauseMs >= endsAt) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const beganAt = performance.now();
      try {
        const socket = await open();
        if (sdk.isResetByOpening) attempts = 0;
        report.count('came back');
        return { ...first, socket, beganAt };
      } catch {
        report.count('attempts refused');
      }
    }
    report.fail('not back when the run ended');
    return undefined;
  };
  // A server SDK asks for documents, not for evaluated flags.
  let name = sdk.type === 'server' ? 'server sync' : 'sync';
  let lostAt: number | undefined;
  let opened: Socket | undefined;
  for (;;) {
    session.stopsAt = sdk.stopsAt;
    report.open++;
    const life = session.sync(name).then(() => {
      if (lostAt !== undefined && !session.isOver) report.time('lost to answered', performance.now() - lostAt);
      return session.hold(messages);
    });
    await life.catch(report.fail);
    report.open--;
    lostAt = performance.now();
    const next = session.isLost ? await comeBack() : undefined;
    if (!next) break;
    opened = next.socket;
    name = 'sync again';
    session = new SdkSession(next, subscription, 'handshake again');
  }
  clearTimeout(identifies);
  opened?.close();
}
