import type { Context } from 'hono';
import { type Insight, parseInsights } from '../../shared/protocol/insight.ts';
import type { SnapshotSource } from '../../shared/store/snapshots/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson } from './body.ts';
import type { UsageSink } from './usageSink.ts';

/** A stored report: environment, time, user, events. */
export interface InsightRecord extends Insight {
  readonly envId: string;
  /** ISO 8601 by the server's clock. */
  readonly receivedAt: string;
}

/** A report of one user that is too large for a sink. The message gives the limit. */
export class InsightTooLarge extends Error {
  override name = 'InsightTooLarge';
}

/**
 * Maximum number of users and events in one request. Stored, they take far more space than in the request. SDKs send up to 50.
 */
export const INSIGHTS_LIMIT = 10_000;

/** The storage for reports. */
export interface InsightSink {
  /**
   * @throws {InsightTooLarge} if a record is too large; nothing is stored then
   * @throws unless all records are durably stored
   */
  write(records: readonly InsightRecord[]): Promise<void>;
  /** Lost records by reason, if the sink counts them. */
  readonly lost?: Readonly<Record<string, number>>;
}

/** Dependencies of {@link trackRoute}. */
export interface TrackDeps {
  readonly insights: InsightSink;
  /** If absent, evaluations are not counted. */
  readonly usage?: UsageSink | undefined;
  readonly snapshots: SnapshotSource;
  readonly now: () => number;
}

/**
 * Stores SDKs' reports of served variations and measured metrics, counts evaluations, then acknowledges the reports. A
 * report that can never be stored gets 413, because SDKs would repeat it forever.
 */
export function trackRoute({ insights, usage, snapshots, now }: TrackDeps) {
  return async (context: Context<AuthenticatedEnv>) => {
    const parsed = parseInsights(readJson(context));
    if (!parsed) return context.json({ message: 'the body must be a JSON array of insights' }, 400);
    const count = parsed.reduce((sum, { variations, metrics }) => sum + 1 + variations.length + metrics.length, 0);
    if (count > INSIGHTS_LIMIT) {
      const message = `the body has ${count} users and events; the limit is ${INSIGHTS_LIMIT}. Send them in several requests`;
      return context.json({ message }, 413);
    }
    const { envId } = context.get('grant');
    const receivedAt = new Date(now()).toISOString();
    try {
      if (parsed.length > 0) await insights.write(parsed.map((insight) => ({ envId, receivedAt, ...insight })));
      const evaluations = parsed.flatMap(({ variations }) =>
        variations.map(({ featureFlagKey, variation }) => ({ flagKey: featureFlagKey, variationId: variation.id })),
      );
      // After the write: SDKs repeat a report that fails, and its evaluations must be counted once.
      if (usage && evaluations.length > 0) {
        const reading = await withinLimit(snapshots.read(envId));
        await usage.count(envId, reading?.snapshot, evaluations);
      }
      return context.body(null, 200);
    } catch (error) {
      if (error instanceof InsightTooLarge) return context.json({ message: error.message }, 413);
      throw error;
    }
  };
}

/** How long the acknowledgement of a report waits for the flags that it names, in milliseconds. */
const READ_LIMIT_MS = 3_000;

/** @returns undefined if the promise rejects, or does not settle in time */
async function withinLimit<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, READ_LIMIT_MS, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
