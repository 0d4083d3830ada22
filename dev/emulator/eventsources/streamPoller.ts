import { type Clock, sleep } from '../clock.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { InvokeResult } from '../lambda/result.ts';
import { type Log, oneLine } from '../log.ts';
import type { StreamMapping } from './definition.ts';
import { matchesPattern } from './pattern.ts';
import { createdAt, type StreamLog, type StreamRecord, sequenceNumberOf } from './streamRecord.ts';

/** A running consumer. */
export interface Poller {
  /** Lets the batch that is being handled end, and stops. */
  stop(): Promise<void>;
}

/** The pause before the `retry`-th retry (1, 2, …), in milliseconds. */
export type BackOff = (retry: number) => number;

/** Dependencies of a stream poller. */
export interface StreamPollerServices {
  readonly functions: FunctionRegistry;
  readonly stream: StreamLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly backOff: BackOff;
}

/**
 * Starts sending a stream's records to a function, one batch at a time and in order. Later records wait until a failed record
 * succeeds or is given up. The position is stored after each batch, for the next start.
 */
export async function startStreamPoller(mapping: StreamMapping, services: StreamPollerServices): Promise<Poller> {
  const { stream, clock, log, backOff } = services;
  const { path, streamArn, filters } = mapping;
  const stopping = new AbortController();
  let arrived = Promise.withResolvers<void>();
  let position = await firstPosition(mapping, stream);

  const forget = stream.onAppend((arn) => {
    if (arn === streamArn) arrived.resolve();
  });

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const news = arrived.promise;
      const records = await stream.read(streamArn, position, mapping.batchSize);
      if (records.length > 0) {
        const matches = (record: StreamRecord) => filters.some((pattern) => matchesPattern(pattern, record));
        const done = await handle(filters.length === 0 ? records : records.filter(matches), 0);
        if (done) await advance(records);
        continue;
      }
      await news;
      arrived = Promise.withResolvers<void>();
    }
  }

  async function advance(past: readonly StreamRecord[]): Promise<void> {
    position = sequenceNumberOf(past[past.length - 1] as StreamRecord);
    await stream.checkpoint(path, streamArn, position);
  }

  /** Handles a batch until every record has succeeded or is given up; false when the poller had to stop before. */
  async function handle(batch: readonly StreamRecord[], attempts: number): Promise<boolean> {
    let left = batch;
    let tried = attempts;
    let throttled = 0;
    while (left.length > 0 && !stopping.signal.aborted) {
      const young = left.filter((record) => clock.now() - createdAt(record) <= mapping.maxRecordAgeMs);
      if (young.length < left.length) {
        report(left.slice(0, left.length - young.length), 'RecordAgeExceeded', tried);
        left = young;
        continue;
      }
      const result = await services.functions.invoke(mapping.functionName, { Records: left });
      if (!result.ok && result.reason === 'throttled') {
        // No attempt, so it uses up no retries: it is repeated until the records are too old.
        throttled += 1;
        await sleep(clock, backOff(throttled), stopping.signal);
        continue;
      }
      const failed = failedItems(result, left.map(sequenceNumberOf), mapping.reportsFailures);
      if (failed.length === 0) return true;
      const firstFailed = failed === 'all' ? 0 : left.findIndex((record) => sequenceNumberOf(record) === failed[0]);
      if (firstFailed > 0) {
        await advance(left.slice(0, firstFailed));
        left = left.slice(firstFailed);
        tried = 0;
      }
      tried += 1;
      if (tried > mapping.maxRetries && !(mapping.bisects && left.length > 1)) {
        report(left, 'RetryAttemptsExhausted', tried);
        return true;
      }
      await sleep(clock, backOff(tried), stopping.signal);
      if (mapping.bisects && left.length > 1) {
        // A split is not counted as a retry: only a batch that can no longer be split uses them up.
        const middle = Math.ceil(left.length / 2);
        const [first, second] = [left.slice(0, middle), left.slice(middle)];
        if (!(await handle(first, tried - 1))) return false;
        await advance(first);
        left = second;
        tried -= 1;
      }
    }
    return left.length === 0;
  }

  function report({ length }: readonly StreamRecord[], condition: string, attempts: number): void {
    log(`event source ${path}: gave up ${length} records after ${attempts} attempts: ${condition}`);
  }

  const running = run().catch((error: unknown) => log(`event source ${path} stopped: ${oneLine(error)}`));
  return {
    async stop() {
      stopping.abort();
      forget();
      arrived.resolve();
      await running;
    },
  };
}

/** The first position of a consumer. It is stored at once, so that no later change is missed. */
async function firstPosition({ path, streamArn, startingPosition }: StreamMapping, stream: StreamLog): Promise<string> {
  const known = await stream.loadCheckpoint(path, streamArn);
  if (known !== undefined) return known;
  const start = startingPosition === 'LATEST' ? stream.latestSequenceNumber() : 'TRIM_HORIZON';
  await stream.checkpoint(path, streamArn, start);
  return start;
}

/**
 * The identifiers a function reported as failed, out of those of its batch, in the batch's order.
 *
 * @param reports whether the mapping asks for `ReportBatchItemFailures`; if not, only an error is a failure.
 * @returns an empty list when everything succeeded, `'all'` when the invocation failed, or its answer is not a valid
 * report: an entry without an identifier, or with one that is not in the batch.
 */
export function failedItems(
  result: InvokeResult,
  batch: readonly string[],
  reports: boolean,
): readonly string[] | 'all' {
  if (!result.ok) return 'all';
  if (!reports) return [];
  const { batchItemFailures } = (result.payload ?? {}) as { batchItemFailures?: unknown };
  if (batchItemFailures === undefined || batchItemFailures === null) return [];
  if (!Array.isArray(batchItemFailures)) return 'all';
  const reported = new Set(
    (batchItemFailures as ({ itemIdentifier?: unknown } | null)[]).map((failure) => failure?.itemIdentifier),
  );
  for (const identifier of reported) if (!batch.includes(identifier as string)) return 'all';
  return batch.filter((identifier) => reported.has(identifier));
}
