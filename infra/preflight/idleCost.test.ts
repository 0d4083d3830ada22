import { describe, expect, jest, test } from '@jest/globals';
import { type PriceKey, unitPrice } from '../../cost/prices/priceSheet.ts';
import { HOST_ALARMS } from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf } from '../../cost/prices/sheets.ts';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { resourcesOf, templateWith } from '../stacks/testing/templates.ts';
import { idleCost } from './idleCost.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const HOURS = 730;
const usd = (...settings: Parameters<typeof readConfig>) => idleCost(readConfig(...settings), 'us-east-1').usd;
const price = (key: PriceKey, quantity: number) => quantity * unitPrice(priceSheetOf('us-east-1'), key);

test('added resources cost more, and removed resources cost less', () => {
  expect(usd({ alarms: false })).toBeLessThan(usd());
  expect(usd()).toBeLessThan(usd({ stage: 'prod' }));
  expect(usd({ host: true })).toBeGreaterThan(usd());
});

test('change events cost an alarm, unless the deployment is lean', () => {
  const cost = (settings: Settings) => usd(settings) - usd({ ...settings, eventBus: 'off' });
  expect(cost({ stage: 'prod' })).toBeCloseTo(price('alarm', 1), 6);
  expect(cost({ stage: 'dev' })).toBe(0);
  expect(cost({ stage: 'prod', alarms: false })).toBe(0);
});

test('tasks cost by their number and size, and have addresses unless they are in subnets of their own', () => {
  const more = usd({ fargate: { count: 3 } }) - usd({ fargate: { count: 2 } });
  expect(more).toBeCloseTo(
    price('fargateArmVcpuHour', HOURS) + price('fargateArmGbHour', 2 * HOURS) + price('publicIpv4Hour', HOURS),
    6,
  );
});

test('tasks in private subnets cost a NAT gateway in place of their addresses', () => {
  const network = {
    vpcId: 'vpc-0123456789abcdef0',
    publicSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  };
  const privateSubnetIds = ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'];
  const more = usd({ fargate: { network: { ...network, privateSubnetIds } } }) - usd({ fargate: { network } });
  expect(more).toBeCloseTo(price('natGatewayHour', HOURS) - price('publicIpv4Hour', 2 * HOURS), 6);
});

test('the alarms of AWS for scaling cost also without alarms of the deployment', () => {
  const alarms = (settings: Settings) =>
    usd({ ...settings, fargate: true }) - usd({ ...settings, fargate: true, alarms: false });
  expect(usd({ alarms: false, fargate: true }) - usd({ alarms: false })).toBeGreaterThan(price('alarm', 6));
  expect(alarms({ stage: 'dev' }) - (usd() - usd({ alarms: false }))).toBeCloseTo(price('alarm', 7), 6);
});

test('an internal balancer of tasks has no public addresses', () => {
  const saved = usd({ fargate: true }) - usd({ fargate: { balancer: 'internal' } });
  expect(saved).toBeCloseTo(price('publicIpv4Hour', 2 * HOURS), 6);
});

describe('hosts on machines', () => {
  const added = (host: NonNullable<Settings['host']>, settings: Settings = {}) =>
    usd({ ...settings, host }) - usd(settings);
  const tls = (region: string) => ({
    domainName: 'hosts.example.com',
    certificateArn: `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`,
  });
  /** What comes with each machine: an address, a disk, and seven metrics each of detailed monitoring and of the agent. */
  const around = (machines: number) =>
    price('publicIpv4Hour', machines * HOURS) + price('diskGb', machines * 8) + price('customMetric', machines * 14);
  const machines = (count: number) => price('t2MicroHour', count * HOURS) + around(count);
  const balancer = (addresses: number) => price('loadBalancerHour', HOURS) + price('publicIpv4Hour', addresses * HOURS);

  test('one costs the same however it is reached: it has one address, and CloudFront costs by the request', () => {
    const expected = machines(1) + price('smallDashboard', 1);
    expect(added(true)).toBeCloseTo(expected, 6);
    expect(added({ network: 'public' })).toBeCloseTo(expected, 6);
    expect(added({ network: 'public', tls: tls('us-east-1') })).toBeCloseTo(expected, 6);
  });

  test('two cost twice as much, with a balancer, its addresses where it is public, a small dashboard and two alarms', () => {
    const inside = machines(2) + balancer(0) + price('smallDashboard', 1) + price('alarm', 2);
    expect(added({ count: 2 })).toBeCloseTo(inside, 6);
    const reached = machines(2) + balancer(2) + price('smallDashboard', 1) + price('alarm', 2);
    expect(added({ count: 2, network: 'public' })).toBeCloseTo(reached, 6);
    expect(added({ count: 2, network: 'public', tls: tls('eu-west-1') })).toBeCloseTo(reached, 6);
  });

  test('have no alarms where they are off', () => {
    const off = { alarms: false };
    expect(added({ count: 2 }) - added({ count: 2 }, off)).toBeCloseTo(price('alarm', 2), 6);
    expect(added(true, off)).toBeCloseTo(added(true), 6);
  });

  test('machines without a price cost their surrounding resources', () => {
    expect(added({ instanceType: 'c7g.medium' })).toBeCloseTo(around(1) + price('smallDashboard', 1), 6);
    const generator = price('publicIpv4Hour', HOURS) + price('diskGb', 20) + price('customMetric', 7);
    expect(added({ loadGenerator: true }) - added(true)).toBeCloseTo(generator, 6);
  });

  test('have as many alarms as their stack', () => {
    for (const [count, alarms] of [
      [1, 0],
      [2, HOST_ALARMS],
    ] as const)
      expect(resourcesOf(templateWith('Host', { host: { count } }), 'AWS::CloudWatch::Alarm')).toHaveLength(alarms);
  });
});

test('names resources without a price, and uses prices of another region', () => {
  const config = readConfig({
    host: { instanceType: 'c7g.medium', loadGenerator: true },
    syncConcurrency: { provisioned: 2 },
  });
  expect(idleCost(config, 'eu-central-1')).toMatchObject({
    region: 'us-east-1',
    unpriced: ['2 instances of functions kept warm', '1 c7g.medium instance', '1 c6i.xlarge instance'],
  });
  const several = readConfig({ host: { count: 3, instanceType: 'c7g.medium' } });
  expect(idleCost(several, 'us-east-1').unpriced).toEqual(['3 c7g.medium instances']);
});
