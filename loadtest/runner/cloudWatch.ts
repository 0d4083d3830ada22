import { CloudWatchClient, type MetricDataResult, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import { AGENT_NAMESPACE, ofHostProcess } from '../../infra/constructs/host/agentMetrics.ts';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import type { Usage } from '../results/runFiles.ts';

/** Period of the agent's figures in seconds. */
const PERIOD = 1;

/** The used part of CloudWatch's client, which tests replace. */
export type MetricReader = (
  queries: readonly object[],
  from: Date,
  to: Date,
) => AsyncIterable<{
  readonly MetricDataResults?: readonly Pick<MetricDataResult, 'Id' | 'Timestamps' | 'Values'>[] | undefined;
}>;

/**
 * The usage of an instance of the Host stack, measured by its agent: each second during a test (`host.metricsSeconds`), otherwise each
 * minute. The figures arrive with a delay of about a minute.
 */
export async function readInstance(read: MetricReader, instance: string, from: Date, to: Date): Promise<Usage[]> {
  const Dimensions = [
    { Name: 'InstanceId', Value: instance },
    { Name: 'cpu', Value: 'cpu-total' },
  ];
  const Metric = { Namespace: AGENT_NAMESPACE, MetricName: 'cpu_usage_active', Dimensions };
  const queries = [
    { Id: 'cpu', MetricStat: { Metric, Period: PERIOD, Stat: 'Maximum' } },
    { Id: 'memory', Expression: ofHostProcess('memory_rss', instance, PERIOD), Period: PERIOD },
  ];
  const found = { cpu: new Map<number, number>(), memory: new Map<number, number>() };
  for await (const { MetricDataResults = [] } of read(queries, from, to)) {
    for (const { Id, Timestamps = [], Values = [] } of MetricDataResults) {
      const series = found[Id as keyof typeof found];
      for (const [n, time] of Timestamps.entries()) series?.set(time.getTime() / 1_000, Values[n] ?? Number.NaN);
    }
  }
  const times = [...found.cpu.keys()].sort((a, b) => a - b);
  return times.map((at) => ({
    at,
    cpu: (found.cpu.get(at) ?? 0) / 100,
    memory: found.memory.get(at) ?? Number.NaN,
  }));
}

/** Reads from CloudWatch, with your AWS credentials. */
export function cloudWatchReader(region: string): MetricReader {
  const client = new CloudWatchClient({ region, requestHandler: throughProxy() });
  return (queries, StartTime, EndTime) =>
    paginateGetMetricData({ client }, { MetricDataQueries: [...queries] as never, StartTime, EndTime });
}
