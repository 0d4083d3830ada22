import type { Model, Resource } from '../template/resolve.ts';
import type { Pattern } from './pattern.ts';

/** A mapping of a table's stream to a function. */
export type StreamMapping = Readonly<ReturnType<typeof readStreamMapping>>;

/** A mapping of a queue to a function. */
export type QueueMapping = Readonly<ReturnType<typeof readQueueMapping>>;

/** Both kinds of mapping. */
export type EventSourceMappings = ReturnType<typeof readEventSources>;

const day = 24 * 60 * 60 * 1000;

/** Batches of one queue that Lambda starts with in parallel when nothing else is said. */
const defaultConcurrency = 5;

/** Maximum messages of a queue in one batch. Larger batches need a batching window, which FIFO queues do not support. */
const maxBatch = 10;

/** Reads every enabled event source mapping. @throws Error naming one whose source or setting is not offered here. */
export function readEventSources(model: Model) {
  const mappings = model
    .resources('AWS::Lambda::EventSourceMapping')
    .filter((mapping) => mapping.property('Enabled') !== false);
  const from = (service: string) => mappings.filter((mapping) => sourceArn(mapping).startsWith(`arn:aws:${service}:`));
  const streams = from('dynamodb').map(readStreamMapping);
  const queues = from('sqs').map(readQueueMapping);
  const unknown = mappings.find(({ path }) => ![...streams, ...queues].some((known) => known.path === path));
  if (unknown) throw new Error(`${unknown.path}: the emulator has no event source "${sourceArn(unknown)}"`);
  return { streams, queues };
}

function readStreamMapping(mapping: Resource) {
  const startingPosition = mapping.property('StartingPosition');
  if (startingPosition !== 'LATEST' && startingPosition !== 'TRIM_HORIZON') {
    throw new Error(`${mapping.path}: starting position "${String(startingPosition)}" is not LATEST or TRIM_HORIZON`);
  }
  const onFailure = (mapping.property('DestinationConfig') as Destination | undefined)?.OnFailure?.Destination;
  const limit = (property: string, whenUnlimited: number) => {
    const value = Number(mapping.property(property) ?? -1);
    return value < 0 ? whenUnlimited : value;
  };
  return {
    /** Names the consumer: `<stack>/<logicalId>`. */
    path: mapping.path,
    streamArn: sourceArn(mapping),
    functionName: String(mapping.property('FunctionName')),
    batchSize: Number(mapping.property('BatchSize') ?? 100),
    /** A record must match one of these. Without filters, all records match. */
    filters: readFilters(mapping),
    startingPosition: startingPosition as 'LATEST' | 'TRIM_HORIZON',
    bisects: mapping.property('BisectBatchOnFunctionError') === true,
    reportsFailures: reportsFailures(mapping),
    /** Maximum retries of a failed batch. Unlimited by default. */
    maxRetries: limit('MaximumRetryAttempts', Number.POSITIVE_INFINITY),
    /** Maximum age of a record. The default is a day, the lifetime of a stream record. */
    maxRecordAgeMs: limit('MaximumRecordAgeInSeconds', day / 1000) * 1000,
    /** The ARN of the queue for records given up. The function's role must allow messages to it. None are sent: nobody could read them here. */
    onFailureArn: onFailure,
  };
}

function readQueueMapping(mapping: Resource) {
  if (readFilters(mapping).length > 0) throw new Error(`${mapping.path}: the emulator filters streams only`);
  const scaling = mapping.property('ScalingConfig') as { MaximumConcurrency?: number } | undefined;
  return {
    path: mapping.path,
    queueArn: sourceArn(mapping),
    functionName: String(mapping.property('FunctionName')),
    batchSize: within(mapping, 'BatchSize', mapping.property('BatchSize') ?? maxBatch, [1, maxBatch]),
    reportsFailures: reportsFailures(mapping),
    maxConcurrency:
      scaling?.MaximumConcurrency === undefined
        ? defaultConcurrency
        : within(mapping, 'MaximumConcurrency', scaling.MaximumConcurrency, [2, 1_000]),
  };
}

/** A setting as a number. @throws Error naming it when it is out of bounds. */
function within({ path }: Resource, name: string, value: unknown, [least, most]: readonly [number, number]): number {
  const number = Number(value);
  if (number >= least && number <= most) return number;
  throw new Error(`${path}: ${name} ${String(value)} is not from ${least} to ${most}`);
}

function sourceArn(mapping: Resource): string {
  return String(mapping.property('EventSourceArn'));
}

function reportsFailures(mapping: Resource): boolean {
  return ((mapping.property('FunctionResponseTypes') ?? []) as string[]).includes('ReportBatchItemFailures');
}

function readFilters(mapping: Resource): Pattern[] {
  const { Filters = [] } = (mapping.property('FilterCriteria') ?? {}) as { Filters?: { Pattern: string }[] };
  return Filters.map((filter) => JSON.parse(filter.Pattern) as Pattern);
}

interface Destination {
  readonly OnFailure?: { readonly Destination?: string };
}
