import { CloudWatchClient, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import type { Usage } from '../results/runFiles.ts';

/** Where the comparison stack's agent reports (infra/cdk/constructs/comparison/files/agent.json). */
const NAMESPACE = 'Flagwire/Host';
const HOST = '/opt/flagwire/node';

/** What of CloudWatch's client is used: tests play it. */
export type MetricReader = (
  queries: readonly object[],
  from: Date,
  to: Date,
) => AsyncIterable<{
  readonly MetricDataResults?:
    | undefined
    | readonly {
        readonly Id?: string | undefined;
        readonly Timestamps?: readonly Date[] | undefined;
        readonly Values?: readonly number[] | undefined;
      }[];
}>;

/**
 * What an instance of the comparison stack used, as its agent measured it: every second during a test
 * (`flagwire:hostMetricsSeconds`), a minute apart otherwise. The agent's figures arrive with a delay of about a minute.
 */
export async function readInstance(read: MetricReader, instance: string, from: Date, to: Date): Promise<Usage[]> {
  const query = (id: string, metric: string, dimensions: Readonly<Record<string, string>>) => ({
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: NAMESPACE,
        MetricName: metric,
        Dimensions: Object.entries({ InstanceId: instance, ...dimensions }).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: 1,
      Stat: 'Maximum',
    },
  });
  const queries = [
    query('cpu', 'cpu_usage_active', { cpu: 'cpu-total' }),
    query('memory', 'procstat_memory_rss', { exe: HOST }),
  ];
  const found = { cpu: new Map<number, number>(), memory: new Map<number, number>() };
  for await (const { MetricDataResults = [] } of read(queries, from, to)) {
    for (const { Id, Timestamps = [], Values = [] } of MetricDataResults) {
      const series = found[Id as keyof typeof found];
      for (const [n, time] of Timestamps.entries()) series?.set(time.getTime() / 1_000, Values[n] ?? Number.NaN);
    }
  }
  const times = [...found.cpu.keys()].sort((a, b) => a - b);
  return times.map((at) => ({ at, cpu: (found.cpu.get(at) ?? 0) / 100, memory: found.memory.get(at) ?? Number.NaN }));
}

/** Reads from CloudWatch, with your AWS credentials. */
export function cloudWatchReader(region: string): MetricReader {
  const client = new CloudWatchClient({ region });
  return (queries, StartTime, EndTime) =>
    paginateGetMetricData({ client }, { MetricDataQueries: [...queries] as never, StartTime, EndTime });
}
