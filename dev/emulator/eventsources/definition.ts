import type { Model, Resource } from '../template/resolve.ts';
import type { Pattern } from './pattern.ts';

/** A mapping of a table's stream to a function. */
export interface StreamMapping {
  /** Names the consumer: `<stack>/<logicalId>`. */
  readonly path: string;
  readonly streamArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  /** A record must match one of these. Without filters, all records match. */
  readonly filters: readonly Pattern[];
  readonly startingPosition: 'LATEST' | 'TRIM_HORIZON';
  readonly bisects: boolean;
  readonly reportsFailures: boolean;
  /** Maximum retries of a failed batch. Unlimited by default. */
  readonly maxRetries: number;
  /** Maximum age of a record. The default is a day, the lifetime of a stream record. */
  readonly maxRecordAgeMs: number;
  /** The ARN of the queue that gets a message about records given up. */
  readonly onFailureArn?: string;
}

/** A mapping of a queue to a function. */
export interface QueueMapping {
  readonly path: string;
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsFailures: boolean;
  readonly maxConcurrency: number;
}

/** Both kinds of mapping. */
export interface EventSourceMappings {
  readonly streams: readonly StreamMapping[];
  readonly queues: readonly QueueMapping[];
}

const day = 24 * 60 * 60 * 1000;

/** Batches of one queue that Lambda starts with in parallel when nothing else is said. */
const defaultConcurrency = 5;

/** Maximum messages of a queue in one batch. Larger batches need a batching window, which FIFO queues do not support. */
const maxBatch = 10;

/** Reads every enabled event source mapping. @throws Error naming one whose source or setting is not offered here. */
export function readEventSources(model: Model): EventSourceMappings {
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

function readStreamMapping(mapping: Resource): StreamMapping {
  const start = mapping.property('StartingPosition');
  if (start !== 'LATEST' && start !== 'TRIM_HORIZON') {
    throw new Error(`${mapping.path}: starting position "${String(start)}" is not LATEST or TRIM_HORIZON`);
  }
  const onFailure = (mapping.property('DestinationConfig') as Destination | undefined)?.OnFailure?.Destination;
  const limit = (property: string, whenUnlimited: number) => {
    const value = Number(mapping.property(property) ?? -1);
    return value < 0 ? whenUnlimited : value;
  };
  return {
    path: mapping.path,
    streamArn: sourceArn(mapping),
    functionName: String(mapping.property('FunctionName')),
    batchSize: Number(mapping.property('BatchSize') ?? 100),
    filters: readFilters(mapping),
    startingPosition: start,
    bisects: mapping.property('BisectBatchOnFunctionError') === true,
    reportsFailures: reportsFailures(mapping),
    maxRetries: limit('MaximumRetryAttempts', Number.POSITIVE_INFINITY),
    maxRecordAgeMs: limit('MaximumRecordAgeInSeconds', day / 1000) * 1000,
    ...(onFailure !== undefined && { onFailureArn: onFailure }),
  };
}

function readQueueMapping(mapping: Resource): QueueMapping {
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
