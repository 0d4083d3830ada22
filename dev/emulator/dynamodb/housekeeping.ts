import type { Database } from './database.ts';
import { trimFeed } from './feedTrim.ts';
import { forgetTokens } from './idempotency.ts';
import { createSerialQueue } from './serialQueue.ts';
import { sweepExpired } from './ttlSweep.ts';

/** The work between requests: expired items, old idempotency tokens, change records that nobody waits for. */
interface Housekeeping {
  /** Does all of it once, after a round that is under way. */
  sweepNow(): Promise<void>;
  /** Ends the rounds and waits for one that is under way. */
  stop(): Promise<void>;
}

/** Starts rounds with `everyMs` between the end of one and the start of the next. A failed round is a process warning. */
export function startHousekeeping(database: Database, everyMs: number): Housekeeping {
  const oneAtATime = createSerialQueue();
  const sweepNow = () =>
    oneAtATime(async () => {
      const now = Date.now();
      await sweepExpired(database, now);
      await database.exclusively(() => forgetTokens(database.store.db, now));
      await trimFeed(database.store.db, now);
    });

  let stopped = false;
  let timer = setTimeout(round, everyMs);
  async function round(): Promise<void> {
    await sweepNow().catch((error: Error) =>
      process.emitWarning(`the embedded DynamoDB's sweep failed: ${error.message}`),
    );
    if (!stopped) timer = setTimeout(round, everyMs);
  }

  return {
    sweepNow,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await oneAtATime(async () => undefined);
    },
  };
}
