import type { Outcome } from '../result/outcome.ts';
import { spreadOf } from '../result/spread.ts';
import { type CallEnd, type CallParts, DeliverCall, type ShardMessage } from './deliverCall.ts';
import type { DeliverySettings } from './deliverySettings.ts';
import { HORIZON_MS, type Population, World } from './world.ts';

const SHARDS = 16;

/** Messages that SQS takes at once. */
const BATCH = 10;

/** How long a poller leaves the queue alone when its batch was throttled; AWS does not say how long its own do. */
const THROTTLED_PAUSE_MS = 1_000;

/** The longest pause before a message whose delivery failed comes again (functions/push/deliver.ts), in seconds. */
const LONGEST_PAUSE_SECONDS = 30;

/**
 * A change in each of some environments at one time: stream, publish, a message for each shard of an environment
 * that has connections, and the calls that deliver them, as many at once as the queue's source and the groups of
 * an environment allow. What there was no time for
 * is handed in again at once, what failed after a pause, what was throttled when its visibility ends. Meanwhile all
 * connections ping.
 *
 * @param changed environments that are changed
 */
export function push(
  population: Population,
  settings: DeliverySettings,
  changed = 1,
  onProgress: (nowMs: number) => void = () => {},
): Outcome {
  const { connections, times } = population;
  const world = new World(population);
  const { events, usage } = world;
  const messages = shardMessages(population, changed, () => world.random.below(SHARDS));
  const concerned = messages.reduce((sum, message) => sum + message.connections.length, 0);
  const reachedAt = new Float64Array(connections).fill(Number.NaN);
  // Messages that can be received; one that comes again keeps its place before the others.
  const waiting: number[] = [];
  // The message of each group that was received and is not done with: until then no other of the group is.
  const atWork = new Map<string, number>();
  let running = 0;
  let failedPosts = 0;
  world.holds(connections);

  const parts: CallParts = {
    world,
    times,
    settings,
    onReached: (connection) => {
      reachedAt[connection] = events.now;
    },
    onPostFailed: () => {
      failedPosts++;
    },
  };

  const poll = () => {
    for (let next = nextFree(); running < settings.calls && next >= 0; next = nextFree()) {
      receive(waiting.splice(next, 1)[0] as number);
    }
    if (waiting.length > 0) world.limits.add('SQS: deliveries at once');
  };

  const groupOf = (number: number) => {
    const { environment, shard } = messages[number] as ShardMessage;
    return `${environment} ${shard % settings.groups}`;
  };

  const nextFree = () => waiting.findIndex((number) => (atWork.get(groupOf(number)) ?? number) === number);

  const receive = (number: number) => {
    const message = messages[number] as ShardMessage;
    atWork.set(groupOf(number), number);
    message.received++;
    running++;
    usage.queueRequests += 2;
    const coldMs = world.beginCall('deliver');
    if (coldMs === undefined) {
      events.after(THROTTLED_PAUSE_MS, free);
      events.after(settings.visibilityMs, comeAgain, number);
      return;
    }
    new DeliverCall(parts, message, coldMs, (end) => {
      if (end === 'served') atWork.delete(groupOf(number));
      else events.after(times.queueMs + pauseMs(end, message), comeAgain, number);
      events.after(0, free);
    });
  };

  const free = () => {
    running--;
    poll();
  };

  const comeAgain = (number: number) => {
    waiting.unshift(number);
    poll();
  };

  const arrive = (number: number) => {
    waiting.push(number);
    poll();
  };

  usage.addCall('publish', times.publishMs);
  // Publish looks which shards have connections.
  for (let shard = 0; shard < changed * SHARDS; shard++) {
    world.waitForTable('read', `connections ${Math.floor(shard / SHARDS)} ${shard % SHARDS}`);
  }
  for (const number of messages.keys()) {
    const batches = Math.ceil((number + 1) / BATCH);
    events.after(times.streamMs + times.publishMs + batches * times.queueMs, arrive, number);
  }
  usage.queueRequests += Math.ceil(messages.length / BATCH);
  const isDone = events.run(HORIZON_MS, onProgress);
  const reached = spreadOf(reachedAt, concerned);
  return {
    connections: concerned,
    reached,
    waited: reached,
    unreached: { unanswered: 0, waiting: concerned - reached.count },
    refusedHandshakes: 0,
    mostAttempts: 0,
    failedPosts,
    ...world.counted,
    isDone,
  };

  function pauseMs(end: CallEnd, { received }: ShardMessage): number {
    return end === 'cut' ? 0 : 1_000 * Math.min(2 ** (received - 1), LONGEST_PAUSE_SECONDS);
  }
}

/** A message for each shard that has connections; they are in shards by chance, as a hash of their ids has it. */
function shardMessages(
  { connections, environments }: Population,
  changed: number,
  shard: () => number,
): ShardMessage[] {
  const members = Array.from({ length: changed * SHARDS }, (): number[] => []);
  for (let connection = 0; connection < connections; connection++) {
    const environment = connection % environments;
    if (environment < changed) members[environment * SHARDS + shard()]?.push(connection);
  }
  return members
    .map((numbers, n) => ({
      environment: Math.floor(n / SHARDS),
      shard: n % SHARDS,
      connections: Uint32Array.from(numbers),
      begun: 0,
      behind: [],
      received: 0,
    }))
    .filter(({ connections }) => connections.length > 0);
}
