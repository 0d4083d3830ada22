import { sdkOf } from '../../scenarios/sdks.ts';
import type { Outcome } from '../result/outcome.ts';
import { spreadOf } from '../result/spread.ts';
import { HORIZON_MS, type Population, World } from './world.ts';

/** How long a data-sync is tried before its function gives up (functions/websocket/sync.ts), in milliseconds. */
const PATIENCE_MS = 20_000;

/** Copies of an environment's version, which syncs read in turn (shared/store). */
const VERSION_REPLICAS = 4;
const SHARDS = 16;

/** When the connection at some place in the order of arrivals comes, and its number. */
export interface Arrivals {
  readonly count: number;
  readonly atMs: (place: number) => number;
  readonly connection: (place: number) => number;
}

/** What an opening ends with, and when each connection was let in: NaN where it was not. */
export interface Opened {
  readonly outcome: Outcome;
  readonly openedAt: Float64Array;
}

/**
 * Connections come, each as its SDK does it: handshake with the authorizer, data-sync, answer; a refused handshake is tried
 * again after the SDK's back-off. A data-sync that is throttled is not answered, and nothing tries it again.
 *
 * @param held connections that are there already, and ping
 * @param isReturning whether each is a connection that ended, and held until it came
 */
export function open(
  population: Population,
  arrivals: Arrivals,
  { held = 0, isReturning = false, onProgress = (_: number) => {} } = {},
): Opened {
  const { connections, environments, sdks, times } = population;
  const world = new World(population);
  const { events, usage, random } = world;
  const sdk = sdkOf(sdks);
  const attempts = new Uint16Array(connections);
  const cameAt = new Float64Array(connections).fill(Number.NaN);
  const openedAt = new Float64Array(connections).fill(Number.NaN);
  const answeredAt = new Float64Array(connections).fill(Number.NaN);
  let open = held;
  let unanswered = 0;
  let mostAttempts = 0;
  world.holds(open);

  const arrive = (place: number) => {
    if (place + 1 < arrivals.count) events.after(arrivals.atMs(place + 1) - events.now, arrive, place + 1);
    const connection = arrivals.connection(place);
    cameAt[connection] = events.now;
    if (!isReturning) return attempt(connection);
    world.holds(--open);
    usage.addCall('disconnect', times.tableMs);
    world.waitForTable('write', `connections ${environmentOf(connection)} ${shardOf(connection)}`);
    events.after(sdk(connection).reconnectSeconds * 1_000, attempt, connection);
  };

  const attempt = (connection: number) => {
    usage.handshakes++;
    if (!world.newConnections.take(events.now)) {
      world.limits.add('API Gateway: new connections a second');
      return refuse(connection);
    }
    if (!world.takeRequest()) return refuse(connection);
    const coldMs = world.beginCall('connect');
    if (coldMs === undefined) return refuse(connection);
    const ms = times.connectMs + coldMs;
    const end = (ended: number) => {
      world.endCall('connect', ms);
      letIn(ended);
    };
    events.after(ms, end, connection);
  };

  const refuse = (connection: number) => {
    const count = (attempts[connection] ?? 0) + 1;
    attempts[connection] = count;
    mostAttempts = Math.max(mostAttempts, count);
    events.after(sdk(connection).backOffSeconds(count, random.next()) * 1_000, attempt, connection);
  };

  const letIn = (connection: number) => {
    openedAt[connection] = events.now;
    world.holds(++open);
    usage.dataSyncs++;
    const coldMs = world.takeRequest() ? world.beginCall('sync') : undefined;
    if (coldMs === undefined) {
      unanswered++;
      return;
    }
    const environment = environmentOf(connection);
    const registered = world.waitForTable('write', `connections ${environment} ${shardOf(connection)}`);
    const read = world.waitForTable('read', `version ${environment} ${random.below(VERSION_REPLICAS)}`);
    const waitMs = registered + read;
    const ms = times.syncMs + coldMs + Math.min(waitMs, PATIENCE_MS);
    const end = (ended: number) => {
      world.endCall('sync', ms);
      if (waitMs > PATIENCE_MS) {
        unanswered++;
        return;
      }
      usage.answers++;
      answeredAt[ended] = events.now;
    };
    events.after(ms, end, connection);
  };

  const environmentOf = (connection: number) => connection % environments;
  const shardOf = (connection: number) => Math.floor(connection / environments) % SHARDS;

  if (arrivals.count > 0) events.after(arrivals.atMs(0), arrive, 0);
  const isDone = events.run(HORIZON_MS + arrivals.atMs(Math.max(0, arrivals.count - 1)), onProgress);
  const waited = answeredAt.map((at, connection) => at - (cameAt[connection] as number));
  const answered = spreadOf(answeredAt, arrivals.count);
  return {
    openedAt,
    outcome: {
      connections: arrivals.count,
      reached: answered,
      waited: spreadOf(waited, arrivals.count),
      unreached: { unanswered, waiting: arrivals.count - answered.count - unanswered },
      refusedHandshakes: usage.handshakes - openedAt.filter((at) => !Number.isNaN(at)).length,
      mostAttempts,
      failedPosts: 0,
      ...world.counted,
      isDone,
    },
  };
}
