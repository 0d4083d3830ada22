import { expect, test } from '@jest/globals';
import { type MetricReader, readInstance } from './cloudWatch.ts';

test('reads an instance’s CPU and memory from its agent’s metrics, ordered by time', async () => {
  const asked: unknown[] = [];
  const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000);
  const read: MetricReader = async function* (queries, from, to) {
    asked.push(...queries, from, to);
    yield { MetricDataResults: [{ Id: 'cpu', Timestamps: [at(2), at(1)], Values: [80, 40] }] };
    yield { MetricDataResults: [{ Id: 'memory', Timestamps: [at(1), at(2)], Values: [1e8, 2e8] }, { Id: 'other' }] };
  };
  expect(await readInstance(read, 'i-1', at(0), at(9))).toEqual([
    { at: 1_700_000_001, cpu: 0.4, memory: 1e8 },
    { at: 1_700_000_002, cpu: 0.8, memory: 2e8 },
  ]);
  expect(asked[0]).toMatchObject({
    MetricStat: {
      Metric: {
        Namespace: 'Flagwire/Host',
        MetricName: 'cpu_usage_active',
        Dimensions: [
          { Name: 'InstanceId', Value: 'i-1' },
          { Name: 'cpu', Value: 'cpu-total' },
        ],
      },
    },
  });
  expect(asked[1]).toEqual({
    Id: 'memory',
    Expression:
      `SEARCH('{Flagwire/Host,InstanceId,exe,process_name} MetricName="procstat_memory_rss" ` +
      `InstanceId="i-1" exe="/opt/flagwire/bun"', 'Maximum', 1)`,
    Period: 1,
  });
});
