import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import type { BudgetLimit } from './budgets/clientBudgets.ts';
import type { createMetrics } from './http/metrics.ts';

/** The callbacks of {@link hostEvents}. */
export type HostEvents = ReturnType<typeof hostEvents>;

/**
 * Callbacks for what happens on a host. They count it in the metrics, and log what needs attention.
 *
 * @param now unix milliseconds
 */
export function hostEvents(metrics: ReturnType<typeof createMetrics>, now: () => number) {
  const limited = new LimitedLog(now);
  return {
    onFailed: (error: unknown) => {
      metrics.failures.inc();
      limited.warn('operation failed', { error: error as Error });
    },
    onReportFailed: (error: unknown) => {
      metrics.reportFailures.inc();
      limited.warn('report for receipts not written', { error: error as Error });
    },
    onRefused: (reason: string, isSkewed = false) => {
      metrics.refused.inc();
      if (isSkewed) metrics.skewed.inc();
      limited.warn('connection refused', { reason });
    },
    onIgnored: (reason: string) => {
      metrics.ignored.inc();
      limited.warn('message ignored', { reason });
    },
    onExceeded: (limit: BudgetLimit) => {
      metrics.overBudget.inc({ limit });
      limited.warn('client over its budget', { limit });
    },
    onOpened: () => metrics.opened.inc(),
    onMessage: () => metrics.messages.inc(),
    onSynced: (milliseconds: number) => metrics.syncSeconds.observe(milliseconds / 1_000),
    onPushed: ({ updatedAt, writtenAt }: StoredDocument, subscribers: number) => {
      metrics.pushes.inc(subscribers);
      metrics.pushSeconds.observe(Math.max(0, now() - Math.max(updatedAt, writtenAt)) / 1_000);
    },
    onDropped: () => metrics.dropped.inc(),
    onTableRead: () => metrics.reads.inc(),
    onTableAnswered: () => metrics.tableReached(now() / 1_000),
    onAnswered: (route: string, status: number, seconds: number) => metrics.http.observe({ route, status }, seconds),
  };
}
