import type { Context } from 'hono';
import { type Insight, parseInsights } from '../../shared/protocol/insight.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson } from './body.ts';

/** A report as it is stored: environment, time, user, events. */
export interface InsightRecord extends Insight {
  readonly envId: string;
  /** ISO 8601, by the server's clock. */
  readonly receivedAt: string;
}

/** A report of one user that is too large for a sink; the message says how large it may be. */
export class InsightTooLarge extends Error {
  override name = 'InsightTooLarge';
}

/** The most users and events of one request: stored, they take far more than in the request. SDKs send up to 50. */
export const INSIGHTS_LIMIT = 10_000;

/** Where reports go. */
export interface InsightSink {
  /**
   * @throws {InsightTooLarge} when a record is too large; none is stored then
   * @throws unless all records are durably stored
   */
  write(records: readonly InsightRecord[]): Promise<void>;
  /** Records lost so far, by reason; where the sink can tell. */
  readonly lost?: Readonly<Record<string, number>>;
}

/**
 * Stores SDKs' reports of variations seen and metrics measured, and acknowledges them then. One that cannot be stored is
 * refused with 413, or SDKs would send it again and again.
 */
export function trackRoute(insights: InsightSink, now: () => number) {
  return async (context: Context<AuthenticatedEnv>) => {
    const parsed = parseInsights(readJson(context));
    if (!parsed) return context.json({ message: 'the body must be a JSON array of insights' }, 400);
    const count = parsed.reduce((sum, { variations, metrics }) => sum + 1 + variations.length + metrics.length, 0);
    if (count > INSIGHTS_LIMIT) {
      const message = `the body holds ${count} users and events; the limit is ${INSIGHTS_LIMIT}: send them in several requests`;
      return context.json({ message }, 413);
    }
    const { envId } = context.get('grant');
    const receivedAt = new Date(now()).toISOString();
    try {
      if (parsed.length > 0) await insights.write(parsed.map((insight) => ({ envId, receivedAt, ...insight })));
      return context.body(null, 200);
    } catch (error) {
      if (error instanceof InsightTooLarge) return context.json({ message: error.message }, 413);
      throw error;
    }
  };
}
