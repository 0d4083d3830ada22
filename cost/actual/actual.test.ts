import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { HOST_METERS, type Meter, SERVERLESS_METERS } from '../prices/meters.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import { actualsOf } from './actualReport.ts';
import { readBill } from './readBill.ts';
import { readUsage } from './readUsage.ts';
import { dimensionsOf, type StackResource } from './resources.ts';
import { render } from './showActual.ts';
import { hoursOf, readTimeSpan } from './timeSpan.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = { from: new Date('2026-11-19T00:00:00Z'), to: new Date('2026-11-20T00:00:00Z') };

describe('the period', () => {
  test('is a day until now unless said otherwise, and ends now at the latest', () => {
    expect(hoursOf(readTimeSpan(undefined, undefined, NOW))).toBe(24);
    expect(hoursOf(readTimeSpan('2026-11-19', '2026-11-20', NOW))).toBe(24);
    expect(hoursOf(readTimeSpan('2026-11-20', '2026-12-24', NOW))).toBe(12);
  });

  test.each([
    ['yesterday', undefined, '--from yesterday is not valid'],
    ['2026-11-31', undefined, '--from 2026-11-31 is not valid'],
    ['2026-11-19', '2026-11-18', '--from must be before --to'],
    ['2027-01-01', '2027-01-02', 'is in the future'],
    ['2024-01-01', undefined, 'more than 455 days ago'],
  ])('from %s to %s is refused', (from, to, message) => {
    expect(() => readTimeSpan(from, to, NOW)).toThrow(message);
  });
});

describe('the parts of a deployment', () => {
  const resources = Object.entries(
    synthesizedTemplates(readConfig({ host: true, streamingAccessLogs: 'existing-role' })),
  ).flatMap(([name, { Resources }]) =>
    Object.entries(Resources).map(([logicalId, { Type }]): StackResource => {
      return {
        stack: name.split('-')[2] as StackResource['stack'],
        type: Type,
        logicalId,
        physicalId: `the ${logicalId}`,
      };
    }),
  );

  test('are all found in its stacks', () => {
    const found = dimensionsOf(resources, 'dev');
    for (const { resource } of [...SERVERLESS_METERS, ...HOST_METERS])
      expect([resource, found[resource]]).not.toContain(undefined);
    expect(found.sync).toEqual({ FunctionName: expect.stringContaining('StreamingSyncHandler') });
    expect(found.polling).toMatchObject({ Stage: '$default' });
  });

  test('are those that stand: without the comparison there is no host', () => {
    expect(
      dimensionsOf(
        resources.filter(({ stack }) => stack !== 'Host'),
        'dev',
      ).host,
    ).toBeUndefined();
  });
});

describe('usage', () => {
  const dimensions = { streaming: { ApiId: 'a', Stage: 'streaming' }, host: { InstanceId: 'i-1' } };
  const asked: (readonly MetricDataQuery[])[] = [];
  const read = async function* (queries: readonly MetricDataQuery[]) {
    asked.push(queries);
    yield { MetricDataResults: queries.map(({ Id = '' }) => ({ Id, Values: [1, 2] })) };
    yield { MetricDataResults: [{ Id: queries[0]?.Id ?? '', Values: [10] }] };
  };

  test('is added up over all pages, each metric asked for once, and what is not there counts nothing', async () => {
    const usedOf = await readUsage(read, [...SERVERLESS_METERS, ...HOST_METERS], dimensions, DAY, NOW);
    const meter = (metric: string) =>
      [...SERVERLESS_METERS, ...HOST_METERS].find((each) => each.metric === metric) as Meter;
    expect(usedOf(meter('MessageCount'))).toBe(13);
    expect(usedOf(meter('CPUUtilization'))).toBe(3);
    expect(usedOf(meter('Invocations'))).toBe(0);
    const [queries = []] = asked;
    expect(queries.map(({ MetricStat }) => MetricStat?.Metric?.MetricName).sort()).toEqual([
      'CPUSurplusCreditsCharged',
      'CPUUtilization',
      'MessageCount',
    ]);
    expect(new Set(queries.map(({ MetricStat }) => MetricStat?.Period))).toEqual(new Set([300]));
  });

  test('reads metrics older than 63 days by the hour', async () => {
    await readUsage(read, HOST_METERS, dimensions, { from: new Date('2026-08-01'), to: new Date('2026-08-02') }, NOW);
    expect(asked.at(-1)?.[0]?.MetricStat?.Period).toBe(3_600);
  });
});

test.each([
  ['a million messages', 'serverless', { MessageCount: 1e6 }, 'WebSocket API', 1],
  [
    'a million minutes, in milliseconds',
    'serverless',
    { 'websocket.connections.duration': 60e9 },
    'WebSocket API',
    0.25,
  ],
  ['a million HTTP requests', 'serverless', { Count: 1e6 }, 'HTTP API', 1],
  ['a million calls of each of eight functions', 'serverless', { Invocations: 1e6 }, 'Lambda', 1.6],
  // Four with half a GB, two with a quarter, and publish and deliver with the memory of a whole processor.
  [
    'a thousand seconds of each',
    'serverless',
    { Duration: 1e6 },
    'Lambda',
    1_000 * (2.5 + (2 * 1_769) / 1_024) * 13.3334e-6,
  ],
  ['a million read units of each table', 'serverless', { ConsumedReadCapacityUnits: 1e6 }, 'DynamoDB', 0.25],
  ['a million write units of each table', 'serverless', { ConsumedWriteCapacityUnits: 1e6 }, 'DynamoDB', 1.25],
  ['a million messages sent', 'serverless', { NumberOfMessagesSent: 1e6 }, 'SQS', 0.5],
  ['a million polls for nothing', 'serverless', { NumberOfEmptyReceives: 1e6 }, 'SQS', 0.5],
  ['a GB of each of ten logs', 'serverless', { IncomingBytes: 1024 ** 3 }, 'Logs', 5],
  ['a million events of 5 KB', 'serverless', { IncomingRecords: 1e6 }, 'Firehose', (1e6 * 5_120 * 0.029) / 1024 ** 3],
  ['an hour of a core beyond its credits', 't2.micro', { CPUSurplusCreditsCharged: 60 }, 'EC2', 0.05],
] as const)('%s is priced as the price page says', (_, stack, values: Record<string, number>, service, usd) => {
  const actuals = actualsOf(({ metric }) => values[metric] ?? 0, priceSheetOf('us-east-1'), 730, {
    alarms: 0,
    hasHost: true,
  });
  expect(actuals.find((each) => each.stack === stack)?.services[service]).toBeCloseTo(usd, 9);
});

test('a day’s use is priced as the model prices it, each stack with its fixed costs', () => {
  const values: Record<string, number> = { MessageCount: 2_000_000, CPUUtilization: 1_440 };
  const [serverless, host] = actualsOf(({ metric }) => values[metric] ?? 0, priceSheetOf('us-east-1'), 24, {
    alarms: 22,
    hasHost: true,
  });
  expect(serverless?.services['WebSocket API']).toBeCloseTo(2, 9);
  expect(serverless?.services['alarms, dashboard, metrics']).toBeCloseTo(((22 * 0.1 + 2 * 3 + 5 * 0.3) * 24) / 730, 9);
  // 24 hours at $0.0116 and $0.005, and a day's part of 8 GB at $0.08 and 14 metrics at $0.30.
  expect(host?.services['EC2']).toBeCloseTo(24 * 0.0166 + ((0.64 + 4.2) * 24) / 730, 9);
  expect(host?.month).toBeCloseTo((host?.bill.total ?? 0) * (730 / 24), 9);
  expect(actualsOf(() => 0, priceSheetOf('us-east-1'), 24, { alarms: 0, hasHost: false })).toHaveLength(1);
});

describe('Cost Explorer', () => {
  test('is asked for whole days, by the deployment’s tags', async () => {
    const inputs: unknown[] = [];
    const billed = await readBill(
      async (input) => {
        inputs.push(input);
        return {
          ResultsByTime: [
            { Total: { UnblendedCost: { Amount: '1.5' } } },
            { Total: { UnblendedCost: { Amount: '2' } } },
          ],
        };
      },
      { app: 'flagwire', stage: 'prod' },
      { from: new Date('2026-11-18T06:00:00Z'), to: new Date('2026-11-19T18:00:00Z') },
    );
    expect(billed).toEqual({ usd: 3.5, from: '2026-11-18', to: '2026-11-20' });
    expect(inputs[0]).toMatchObject({
      TimePeriod: { Start: '2026-11-18', End: '2026-11-20' },
      Filter: { And: [{ Tags: { Key: 'app', Values: ['flagwire'] } }, { Tags: { Key: 'stage', Values: ['prod'] } }] },
    });
  });

  test('reports that Cost Explorer refuses the request or has no data', async () => {
    const denied = async () => {
      throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
    };
    expect(await readBill(denied, { app: 'flagwire', stage: 'dev' }, DAY)).toEqual({
      reason: 'AccessDeniedException: not authorized',
    });
    expect(await readBill(async () => ({}), { app: 'flagwire', stage: 'dev' }, DAY)).toEqual({
      reason: expect.stringContaining('cost allocation tags'),
    });
  });
});

test('the result shows each stack, and what was billed or why that is unavailable', () => {
  const actuals = actualsOf(({ metric }) => (metric === 'MessageCount' ? 5e6 : 0), priceSheetOf('us-east-1'), 24, {
    alarms: 22,
    hasHost: true,
  });
  const told = render(actuals, { usd: 5.5, from: '2026-11-19', to: '2026-11-20' }, DAY);
  expect(told).toMatch(/serverless.*t2\.micro/);
  expect(told).toMatch(/WebSocket API {2,}\$5\.00 {2,}\$0$/m);
  expect(told).toContain('Cost Explorer has $5.50 for the whole days from 2026-11-19 until 2026-11-20');
  expect(render(actuals, { reason: 'AccessDeniedException: no' }, DAY)).toContain(
    'unavailable: AccessDeniedException: no.',
  );
});
