import { expect, test } from '@jest/globals';
import { priceSheetOf } from '../../cost/prices/sheets.ts';
import { readConfig } from '../config/config.ts';
import { idleCost } from './idleCost.ts';

const usd = (...settings: Parameters<typeof readConfig>) => idleCost(readConfig(...settings), 'us-east-1').usd;

test('what is added costs more, and what is left out less', () => {
  expect(usd({ alarms: false })).toBeLessThan(usd());
  expect(usd()).toBeLessThan(usd({ stage: 'prod' }));
  expect(usd({ host: true })).toBeGreaterThan(usd());
});

test('tasks cost by their number and size, and have addresses unless they are in subnets of their own', () => {
  const { prices } = priceSheetOf('us-east-1');
  const more = usd({ fargate: { count: 3 } }) - usd({ fargate: { count: 2 } });
  const hour = (key: 'fargateArmVcpuHour' | 'fargateArmGbHour' | 'publicIpv4Hour') =>
    (prices[key].tiers[0]?.usd ?? 0) / prices[key].per;
  expect(more).toBeCloseTo(
    730 * (hour('fargateArmVcpuHour') + 2 * hour('fargateArmGbHour') + hour('publicIpv4Hour')),
    6,
  );
});

test('what has no price is named, and a region without prices takes those of another', () => {
  const config = readConfig({
    host: { instanceType: 'c7g.medium', loadGenerator: true },
    syncConcurrency: { provisioned: 2 },
  });
  expect(idleCost(config, 'eu-central-1')).toMatchObject({
    region: 'us-east-1',
    unpriced: [
      '2 instances of functions kept warm',
      'a host of type c7g.medium',
      'a load generator of type c6i.xlarge',
    ],
  });
});
