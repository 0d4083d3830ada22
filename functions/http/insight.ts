import type { Context } from 'hono';
import { type Insight, parseInsights } from '../../shared/protocol/insight.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson } from './body.ts';

/** What is kept of a report: which environment, when, who, what. */
export interface InsightRecord extends Insight {
  readonly envId: string;
  /** ISO 8601, by the server's clock. */
  readonly receivedAt: string;
}

/** A report of one user that no sink takes, however often it is offered; the message says how large it may be. */
export class InsightTooLarge extends Error {
  override name = 'InsightTooLarge';
}

/** The most users and events of one request: few bytes each, and many more once they are stored. SDKs send up to 50. */
export const INSIGHTS_LIMIT = 10_000;

/** Where reports go. */
export interface InsightSink {
  /**
   * @throws {InsightTooLarge} when there is a record that cannot be stored; none is
   * @throws unless all records are durably stored
   */
  write(records: readonly InsightRecord[]): Promise<void>;
  /** Records so far, by reason, that it has no more or could not take; where it can tell. */
  readonly lost?: Readonly<Record<string, number>>;
}

/**
 * Takes SDKs' reports of variations seen and metrics measured; acknowledged once they are stored. What never can be is
 * refused for good, or SDKs would send it again and again.
 */
export function trackRoute(insights: InsightSink, now: () => number) {
  return async (context: Context<AuthenticatedEnv>) => {
    const parsed = parseInsights(await readJson(context));
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
