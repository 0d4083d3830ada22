import { describe, expect, test } from '@jest/globals';
import { assumed } from '../../testing/assumed.ts';
import { figuresIn } from '../workload/figures.ts';
import { parseWorkload, type WorkloadInput } from '../workload/workload.ts';
import { type AppConfigComparison, appConfigTable, compareAppConfig } from './appConfig.ts';
import { costOf } from './compare.ts';

const sdks = [{ share: 1, pingSeconds: 18, type: 'server' as const }];
const compare = (input: WorkloadInput) => compareAppConfig(parseWorkload({ sdks, ...input }), assumed);

describe('AWS AppConfig', () => {
  test('charges servers that are always there for a poll in 45 s and for each change that they receive', () => {
    const { servers, changes, appConfig } = compare({ connections: 100, days: 30, changesPerDay: 2 }) ?? {};
    expect([servers, changes]).toEqual([100, 60]);
    // 100 servers × 720 hours × 80 polls.
    expect(appConfig?.unchanged).toBeCloseTo(5_760_000 * 2e-7, 9);
    expect(appConfig?.change).toBeCloseTo(100 * 0.0008, 9);
    expect(appConfig?.total).toBeCloseTo(1.152 + 60 * 0.08, 9);
  });

  test('charges each server that starts as the day’s number grows', () => {
    const { appConfig } = compare({ connections: 100, curve: 'one-hour', days: 10, changesPerDay: 0 }) ?? {};
    expect(appConfig?.total).toBeCloseTo(10 * (100 * 80 * 2e-7 + 100 * 0.0008), 9);
  });

  test('is compared for the servers of a load alone, whatever else connects and is sent', () => {
    const mixed = compare({
      connections: 1_000,
      newPerHour: 5_000,
      messagesPerHour: 10,
      eventsPerHour: 10,
      sdks: [
        { share: 0.9, pingSeconds: 18, type: 'client' },
        { share: 0.1, pingSeconds: 18, type: 'server' },
      ],
    });
    const alone = compare({ connections: 100 });
    expect(mixed?.appConfig.total).toBeCloseTo(alone?.appConfig.total ?? Number.NaN, 9);
    expect(mixed?.serverless.total).toBeCloseTo(alone?.serverless.total ?? Number.NaN, 9);
    expect(compare({ connections: 1_000, sdks: [{ share: 1, pingSeconds: 18, type: 'client' }] })).toBeUndefined();
  });

  test.each([18, 300])('costs as much as serverless at the break-even, with pings of %i s', (pingSeconds) => {
    const load = { connections: 1_000, days: 30, sdks: [{ share: 1, pingSeconds, type: 'server' as const }] };
    const breakEven = compare(load)?.breakEven ?? Number.NaN;
    const there = { ...load, changesPerDay: breakEven / 30 };
    const serverless = costOf('serverless', parseWorkload(there), assumed).bill.total;
    expect(compare(there)?.appConfig.total).toBeCloseTo(serverless, 6);
    expect(compare({ ...load, changesPerDay: breakEven / 29 })?.appConfig.total).toBeGreaterThan(serverless);
  });

  test('has no break-even with what cannot be done', () => {
    expect(compare({ connections: 1e7 })?.breakEven).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    [339.2, ['fewer than 340 changes a month', '340 or more']],
    [0, ['–', 'any changes']],
    [Number.POSITIVE_INFINITY, ['–', '–']],
  ])('says who is cheaper, with a break-even of %p', (breakEven, cells) => {
    const comparison = { ...(compare({ connections: 100 }) as AppConfigComparison), breakEven };
    const { head, rows } = appConfigTable(comparison, figuresIn('en', 'year'));
    expect(head[0]).toBe('for 100 servers, US dollars');
    expect(rows).toContainEqual(['cheaper with', ...cells]);
    expect(rows).toContainEqual(['a year without changes', '$14.02', expect.stringContaining('$')]);
  });
});
