import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { type Effects, systemEffects } from '../../../shared/runtime/effects.ts';
import { openKnownKeys } from '../../../shared/store/authenticate.ts';
import type { Intercept } from '../../../shared/store/testing/testTables.ts';
import { database, service } from '../../testing/fixture.ts';
import { snapshotsOf } from '../../testing/service.ts';
import { type Host, type HostDeps, startHost } from '../host.ts';

/** Settings that differ from other tests, and the saved state. */
interface TestHostOptions {
  readonly settings?: Partial<HostDeps['config']>;
  readonly lastKnown?: HostDeps['lastKnown'];
  /** The wall clock, if it is not the test's. */
  readonly now?: () => number;
  /** Each request to the table waits for it. */
  readonly pause?: () => Promise<void>;
  /** Timeouts, if they are not the system's. */
  readonly onSilence?: Effects['onSilence'];
}

/** Starts a host on the test's environment. Its table is unreachable while `isDown` is true. */
export function startTestHost(
  isDown: () => boolean,
  {
    settings,
    lastKnown,
    now = service.effects.now,
    pause = async () => {},
    onSilence = systemEffects.onSilence,
  }: TestHostOptions = {},
): Promise<Host> {
  const requireTable = () => {
    if (isDown()) throw new ProvisionedThroughputExceededException({ message: 'throttled', $metadata: {} });
  };
  const intercept: Intercept = async (_, next) => {
    await pause();
    requireTable();
    return next();
  };
  const store = database.open({ ...service.effects, now }, intercept);
  return startHost({
    config: {
      host: '127.0.0.1',
      port: 0,
      reusePort: false,
      compressMessages: true,
      pollIntervalMs: 20,
      fastPollMs: 60_000,
      // Writers of tests do not wait before they acknowledge.
      maxReadAgeMs: 0,
      // Long, so that a busy machine does not cut off handshakes. Tests of slow clients set less.
      headersTimeoutMs: 10_000,
      idleTimeoutMs: 60_000,
      maxMessagesPerSecond: 20,
      budgetsPerAddress: 100,
      trustedProxies: 0,
      drainMs: 200,
      unreadTimeoutMs: 30_000,
      maxUnsentBytes: 1024 * 1024,
      ...settings,
    },
    keys: openKnownKeys(store),
    store: {
      documents: store.documents,
      snapshots: snapshotsOf(service, intercept),
      environments: async () => {
        await pause();
        requireTable();
        return [service.envId];
      },
    },
    ...(lastKnown ? { lastKnown } : {}),
    insights: { write: async () => {} },
    effects: { ...systemEffects, now, onSilence },
  });
}
