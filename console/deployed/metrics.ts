import type { GetMetricDataCommandInput, MetricDataQuery, MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import type { RecentTotals } from '../live.ts';

/** The used part of the CloudWatch client. */
export type GetMetricData = (input: GetMetricDataCommandInput) => Promise<readonly MetricDataResult[]>;

/** Time span of the sums and length of their steps. CloudWatch is a minute or two late. */
const WINDOW_MS = 900_000;
const PERIOD_SECONDS = 300;
/** Cache duration of an answer, in milliseconds. */
const KEPT_MS = 60_000;

/** Names of the metrics in `functions/telemetry/metrics.ts`, with the CloudWatch statistic. */
const READ = {
  opened: ['websocket.connections.total', 'Sum'],
  syncs: ['sync.latency', 'SampleCount'],
  pushed: ['push.sent', 'Sum'],
  syncMsP95: ['sync.latency', 'p95'],
  pushMsP95: ['push.latency', 'p95'],
} as const;
type What = keyof typeof READ;

/**
 * The sums of a deployment's metrics, read at most once a minute for all readers. A p95 is the maximum of the steps.
 *
 * @param now unix milliseconds
 */
export function cloudWatchMetrics(get: GetMetricData, deployment: string, now: () => number = Date.now) {
  const kept = keepAnswers<RecentTotals>(KEPT_MS, 1);
  const ask = async (at: number): Promise<RecentTotals> => {
    const results = await get({
      MetricDataQueries: (Object.keys(READ) as What[]).map((what) => queryOf(what, deployment)),
      StartTime: new Date(at - WINDOW_MS),
      EndTime: new Date(at),
    });
    const valuesOf = (what: What) => results.find(({ Id }) => Id === idOf(what))?.Values ?? [];
    const sum = (what: What) => valuesOf(what).reduce((total, value) => total + value, 0);
    const highest = (what: What) => (valuesOf(what).length === 0 ? {} : { [what]: Math.max(...valuesOf(what)) });
    return {
      windowMs: WINDOW_MS,
      opened: sum('opened'),
      syncs: sum('syncs'),
      pushed: sum('pushed'),
      ...highest('syncMsP95'),
      ...highest('pushMsP95'),
    };
  };
  return () => {
    const at = now();
    return kept('', at, () => ask(at));
  };
}

function queryOf(what: What, deployment: string): MetricDataQuery {
  const [MetricName, Stat] = READ[what];
  const Metric = { Namespace: 'Flagwire', MetricName, Dimensions: [{ Name: 'Stage', Value: deployment }] };
  return { Id: idOf(what), MetricStat: { Metric, Period: PERIOD_SECONDS, Stat } };
}

/** An id for CloudWatch: it starts with a lower-case letter and has no dots. */
function idOf(what: What): string {
  return what.toLowerCase();
}
