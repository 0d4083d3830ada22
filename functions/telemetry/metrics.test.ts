import { describe, expect, test } from '@jest/globals';
import { METRIC_UNITS, type MetricName, recordMetrics } from './metrics.ts';

const onLambda = { AWS_LAMBDA_LOG_GROUP_NAME: 'sync', STAGE: 'prod' };

describe('recordMetrics', () => {
  test('writes the values of one event as one line of the embedded metric format', () => {
    const [line = '', ...others] = linesFor({ 'push.sent': 1, 'push.latency': 240 });
    expect(others).toEqual([]);
    expect(line).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(line)).toEqual({
      _aws: {
        Timestamp: 1_700_000_000_000,
        CloudWatchMetrics: [
          {
            Namespace: 'Flagwire',
            Dimensions: [['Stage']],
            Metrics: [
              { Name: 'push.sent', Unit: 'Count' },
              { Name: 'push.latency', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
      Stage: 'prod',
      'push.sent': 1,
      'push.latency': 240,
    });
  });

  test('leaves out what is no number, and writes nothing when nothing is left', () => {
    expect(linesFor({ 'sync.latency': Number.NaN })).toEqual([]);
    expect(linesFor({})).toEqual([]);
    const [line = ''] = linesFor({ 'sync.latency': Number.NaN, 'push.sent': 2 });
    expect(line).not.toContain('sync.latency');
    expect(line).toContain('"push.sent":2');
  });

  test('writes nothing where no Lambda reads it', () => {
    expect(linesFor({ 'push.sent': 1 }, { STAGE: 'dev' })).toEqual([]);
  });

  test('every line names a stage, so that the dimension always exists', () => {
    const [line = ''] = linesFor({ 'push.sent': 1 }, { AWS_LAMBDA_LOG_GROUP_NAME: 'deliver' });
    expect(JSON.parse(line)).toMatchObject({ Stage: 'unknown' });
  });
});

test('there are as many as are free without a front door, in units that CloudWatch knows', () => {
  // https://aws.amazon.com/cloudwatch/pricing/, "Free tier".
  expect(Object.keys(METRIC_UNITS).filter((name) => !name.startsWith('tier.'))).toHaveLength(10);
  for (const unit of Object.values(METRIC_UNITS)) expect(['Count', 'Milliseconds']).toContain(unit);
});

function linesFor(values: Partial<Record<MetricName, number>>, env: Record<string, string> = onLambda): string[] {
  const lines: string[] = [];
  recordMetrics(values, { env, now: () => 1_700_000_000_000, write: (line) => lines.push(line) });
  return lines;
}
