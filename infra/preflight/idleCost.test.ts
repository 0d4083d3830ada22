import { describe, expect, jest, test } from '@jest/globals';
import { type PriceKey, unitPrice } from '../../cost/prices/priceSheet.ts';
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

test('a console with sign-in costs its client secret alone', () => {
  const cost = (clientSecret: object) => {
    const signIn = { issuer: 'https://id.example.com', clientId: 'console', viewers: ['v'], ...clientSecret };
    return usd({ console: { signIn } }) - usd();
  };
  expect([cost({}), cost({ clientSecret: 'flagwire/console' })]).toEqual([0, expect.closeTo(price('secret', 1), 6)]);
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
  const tls = {
    domainName: 'hosts.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  };
  /** What comes with a machine: an address, a disk, and seven metrics each of detailed monitoring and of the agent. */
  const around = price('publicIpv4Hour', HOURS) + price('diskGb', 8) + price('customMetric', 14);

  test('cost the same however they are reached: one address, and CloudFront costs by the request', () => {
    const expected = price('t2MicroHour', HOURS) + around + price('smallDashboard', 1);
    expect(added(true)).toBeCloseTo(expected, 6);
    expect(added({ network: 'public' })).toBeCloseTo(expected, 6);
    expect(added({ network: 'public', tls })).toBeCloseTo(expected, 6);
    expect(added(true, { alarms: false })).toBeCloseTo(expected, 6);
  });

  test('machines without a price cost their surrounding resources', () => {
    expect(added({ instanceType: 'c7g.medium' })).toBeCloseTo(around + price('smallDashboard', 1), 6);
    const generator = price('publicIpv4Hour', HOURS) + price('diskGb', 20) + price('customMetric', 7);
    expect(added({ loadGenerator: true }) - added(true)).toBeCloseTo(generator, 6);
  });

  test('have no alarms', () => {
    expect(resourcesOf(templateWith('Host', { host: true }), 'AWS::CloudWatch::Alarm')).toEqual([]);
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
});
