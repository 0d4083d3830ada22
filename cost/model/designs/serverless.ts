import { type Line, type Purpose, queuePolls, standingLines } from '../../prices/bill.ts';
import * as facts from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { type Traffic, trafficOf } from '../workload/traffic.ts';
import {
  averageOverSdks,
  changeWriteUnits,
  countSteps,
  deliveredBytes,
  eventSteps,
  readUnits,
  replySteps,
} from '../workload/units.ts';
import type { Workload } from '../workload/workload.ts';

const KB = 1_024;
const GB = 1_024 ** 3;

/** What a part of the service uses: lines without their purpose. */
type Use = Omit<Line, 'purpose'>;

/** What the serverless stack uses in a month: API Gateway, Lambda, DynamoDB, SQS, Firehose, CloudWatch, data out. */
export function serverlessLines(workload: Workload, assumed: Assumptions): Line[] {
  const traffic = trafficOf(workload);
  const accessLog = (count: number) => use('logGb', 'access log', (count * assumed.accessLogBytes) / GB);
  const logged = (count: number) => (workload.accessLogs ? [accessLog(count)] : []);
  const parts: Record<Purpose, Use[]> = {
    heartbeat: [...heartbeat(workload, traffic, assumed), ...logged(traffic.pings)],
    // One line at the start of a connection, one at its end.
    connections: [...connections(traffic, assumed), ...logged(2 * traffic.opens)],
    syncs: [...syncs(workload, traffic, assumed), ...logged(traffic.opens)],
    pushes: pushes(workload, traffic, assumed),
    insights: [...insights(traffic, assumed), accessLog(traffic.events / assumed.eventsPerRequest)],
    machines: standing(workload, traffic, assumed),
  };
  return Object.entries(parts).flatMap(([purpose, uses]) =>
    uses.map((use) => ({ ...use, purpose: purpose as Purpose })),
  );
}

/** Pings and pongs are messages; no function is called. */
function heartbeat({ pongs: areSent }: Workload, { pings }: Traffic, { frameBytes }: Assumptions): Use[] {
  const pongs = areSent ? pings : 0;
  return [
    use('webSocketMessage', 'pings', pings),
    use('webSocketMessage', 'pongs', pongs),
    use('dataOut', 'pongs', (pongs * (facts.PONG_BYTES + frameBytes)) / GB),
  ];
}

/** Minutes, the authorizer with its read of the secret, and the row of a connection. */
function connections({ connectionHours, opens }: Traffic, assumed: Assumptions): Use[] {
  return [
    use('connectionMinute', 'connection minutes', connectionHours * 60),
    ...calls('connect', opens, assumed.connectMs + assumed.coldShare * assumed.coldMs, assumed),
    use('readUnit', 'reads of secrets', opens),
    use('writeUnit', 'notes of unanswered connections, written and removed', facts.CONNECTION_WRITES.notes * opens),
    ...calls('disconnect', opens, assumed.disconnectMs, assumed),
    use('writeUnit', 'rows of connections removed', facts.CONNECTION_WRITES.removal * opens),
    use('dataOut', 'handshakes', (opens * assumed.handshakeBytes) / GB),
  ];
}

/**
 * One data-sync for each connection: a request, an answer, a row written twice, a version read. A connection that is opened again
 * after two hours has all data and gets an empty patch.
 */
function syncs(workload: Workload, { starts, opens }: Traffic, assumed: Assumptions): Use[] {
  const { flags, flagBytes } = workload;
  const { frameBytes, coldShare, coldMs, syncMs } = assumed;
  const steps = averageOverSdks(workload, assumed, (bytesEach, type) => replySteps(type, flags, bytesEach));
  const bytesEach = averageOverSdks(workload, assumed, (bytes) => bytes);
  const bytes = starts * flags * bytesEach + opens * frameBytes;
  return [
    use('webSocketMessage', 'data-syncs', opens),
    use('webSocketMessage', 'their answers', starts * steps + (opens - starts)),
    ...calls('sync', opens, syncMs + coldShare * coldMs, assumed),
    use('writeUnit', 'rows of connections registered and marked as answered', facts.CONNECTION_WRITES.states * opens),
    use('readUnit', 'versions', opens),
    use('readUnit', 'environments read by new instances', opens * coldShare * readUnits(flags * flagBytes)),
    use('dataOut', 'answers', bytes / GB),
  ];
}

/**
 * The transaction; the stream's function, which finds the shards with connections; a queue message and a delivery for each of those; and a
 * message for each connection. Instances with the environment in memory read the change from the journal.
 */
function pushes(workload: Workload, { changes, pushes }: Traffic, assumed: Assumptions): Use[] {
  const { flagBytes } = workload;
  const { publishMs, deliverMs, postMs, readersPerChange, frameBytes } = assumed;
  const connections = changes > 0 ? pushes / changes : 0;
  // On average: the hash of a connection's id chooses its shard.
  const shards = facts.SHARDS * (1 - (1 - 1 / facts.SHARDS) ** connections);
  const rows = connections * facts.CONNECTION_ROW_BYTES;
  const read = shards > 0 ? shards * readUnits(rows / shards) : 0;
  const deliveries = changes * shards;
  const readers = Math.min(shards, facts.DELIVERIES_AT_ONCE) + (shards > 0 ? readersPerChange : 0);
  return [
    use('writeUnit', 'changes', changes * changeWriteUnits(flagBytes)),
    use(
      'writeUnit',
      'progress notes of deliveries',
      shards > 0 ? deliveries * Math.max(1, Math.ceil(connections / shards / facts.POSTS_A_NOTE)) : 0,
    ),
    use('readUnit', 'looks for occupied shards', changes * facts.SHARDS),
    use('readUnit', 'connections', changes * read),
    use('readUnit', 'versions', deliveries),
    use('readUnit', 'changes read by instances', changes * readers * readUnits(flagBytes)),
    ...calls('publish', changes, publishMs, assumed),
    use('event', 'change events', changes * eventSteps(flagBytes)),
    // A request takes ten messages; each delivery receives and deletes its own.
    use(
      'queueRequest',
      'messages to shards',
      changes * Math.ceil(shards / 10) * Math.max(1, Math.ceil((10 * flagBytes) / (64 * KB))),
    ),
    use('queueRequest', 'deliveries', deliveries * 2),
    ...calls('deliver', deliveries, deliverMs, assumed),
    use('lambdaGbSecond', 'messages to connections', (pushes * postMs * facts.FUNCTION_GB.deliver) / 1_000),
    use('webSocketMessage', 'patches', pushes * averageOverSdks(workload, assumed, countSteps)),
    use('dataOut', 'patches', (pushes * (averageOverSdks(workload, assumed, (bytes) => bytes) + frameBytes)) / GB),
  ];
}

/** Requests with insight events; the events of each go to Firehose in one record. */
function insights({ events }: Traffic, assumed: Assumptions): Use[] {
  const { eventsPerRequest, httpMs } = assumed;
  const requests = events / eventsPerRequest;
  return [
    use('httpRequest', 'requests with events', requests),
    ...calls('http', requests, httpMs, assumed),
    use('deliveredGb', 'events', deliveredBytes(events, assumed) / GB),
  ];
}

/** Fixed costs of a month. The functions' own metrics count while they are used. */
function standing(
  { flags, flagBytes, environments, connections, lean }: Workload,
  { activeHours }: Traffic,
  assumed: Assumptions,
): Use[] {
  const looks = MONTH_HOURS * 60;
  const flagsGb = (environments * flags * flagBytes) / GB;
  const rowsGb = (connections * facts.CONNECTION_ROW_BYTES) / GB;
  return [
    ...standingLines(facts.standingAlarms(lean), lean),
    queuePolls(),
    ...calls('heal', looks, assumed.healMs, assumed),
    use('readUnit', 'looks for unanswered connections', looks * facts.NOTE_PARTITIONS),
    use('customMetric', 'metrics of the functions', (facts.OWN_METRICS * activeHours) / MONTH_HOURS),
    use('tableStorage', 'flags and connections', flagsGb + rowsGb),
    use('tableBackup', 'flags', flagsGb),
  ];
}

function use(price: Line['price'], what: string, quantity: number): Use {
  return { price, what, quantity };
}

/** What calls of a function use: requests, their duration, and their log. */
function calls(name: facts.UsedFunction, count: number, ms: number, assumed: Assumptions): Use[] {
  return [
    use('lambdaRequest', name, count),
    use('lambdaGbSecond', name, (count * ms * facts.FUNCTION_GB[name]) / 1_000),
    use('logGb', name, (count * assumed[`${name}LogBytes`]) / GB),
  ];
}
