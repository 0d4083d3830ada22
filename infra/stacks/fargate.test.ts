import { describe, expect, jest, test } from '@jest/globals';
import { parseSettings, readConfig } from '../config/config.ts';
import { fargateTemplate, propertiesOf, tls } from '../constructs/fargate/testing/fargateTemplate.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { onlyResourceOf, type Properties, resourcesOf, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const serviceOf = (settings = {}) => propertiesOf('AWS::ECS::Service', settings);

describe('the stack with hosts on Fargate', () => {
  test('is made only when it is asked for', () => {
    expect(Object.keys(synthesizedTemplates(readConfig({ fargate: false })))).not.toContain('Flagwire-dev-Fargate');
  });

  test('runs tasks on arm64 of the size that is asked for', () => {
    const size = (settings = {}) => {
      const { Cpu, Memory, RuntimePlatform } = propertiesOf('AWS::ECS::TaskDefinition', settings);
      return { Cpu, Memory, RuntimePlatform };
    };
    const RuntimePlatform = { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' };
    expect(size()).toEqual({ Cpu: '1024', Memory: '2048', RuntimePlatform });
    expect(size({ vcpu: 0.25 })).toEqual({ Cpu: '256', Memory: '512', RuntimePlatform });
    expect(size({ memoryGb: 8 })).toEqual({ Cpu: '1024', Memory: '8192', RuntimePlatform });
  });

  test('replaces tasks without ever having fewer, takes a deployment back that fails, and leaves their number to scaling', () => {
    expect(serviceOf()).toMatchObject({
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
      AvailabilityZoneRebalancing: 'ENABLED',
    });
    expect(serviceOf()).not.toHaveProperty('DesiredCount');
  });

  test('is made once balancer and kinds of capacity are there, and goes before them', () => {
    const { template: resource } = onlyResourceOf(fargateTemplate(), 'AWS::ECS::Service');
    for (const type of ['AWS::ElasticLoadBalancingV2::Listener', 'AWS::ECS::ClusterCapacityProviderAssociations'])
      expect(resource.DependsOn).toContain(onlyResourceOf(fargateTemplate(), type).id);
  });

  test('has two tasks at least, in two zones, and as many as processor and connections take', () => {
    expect(
      resourcesOf(fargateTemplate(), 'AWS::EC2::Subnet').map(({ properties }) => properties['AvailabilityZone']),
    ).toEqual([{ 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }, { 'Fn::Select': [1, { 'Fn::GetAZs': '' }] }]);
    expect(propertiesOf('AWS::ApplicationAutoScaling::ScalableTarget')).toMatchObject({
      MinCapacity: 2,
      MaxCapacity: 10,
    });
    const policies = resourcesOf(
      fargateTemplate({ connections: 5_000 }),
      'AWS::ApplicationAutoScaling::ScalingPolicy',
    ).map(({ properties }) => properties['TargetTrackingScalingPolicyConfiguration'] as Properties);
    expect(policies).toMatchObject([
      {
        PredefinedMetricSpecification: { PredefinedMetricType: 'ECSServiceAverageCPUUtilization' },
        TargetValue: 80,
        ScaleInCooldown: 600,
      },
      { TargetValue: 5_000, ScaleInCooldown: 600 },
    ]);
    expect(policies[1]?.['CustomizedMetricSpecification']).toMatchObject({
      Metrics: [{ ReturnData: false }, { ReturnData: false }, { Expression: 'connections / tasks', ReturnData: true }],
    });
  });

  test('runs a share of its tasks on Spot', () => {
    const shares = (percent: number) => serviceOf({ spotPercent: percent })['CapacityProviderStrategy'];
    expect(shares(0)).toEqual([{ CapacityProvider: 'FARGATE', Weight: 100 }]);
    expect(shares(30)).toEqual([
      { CapacityProvider: 'FARGATE', Weight: 70 },
      { CapacityProvider: 'FARGATE_SPOT', Weight: 30 },
    ]);
    expect(shares(100)).toEqual([{ CapacityProvider: 'FARGATE_SPOT', Weight: 100 }]);
  });
});

describe('the information for an operator', () => {
  const outputsOf = (settings = {}) => {
    const { Outputs = {} } = fargateTemplate(settings);
    return Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, textOf(Value)]));
  };

  test('is where SDKs reach it, with TLS under the name of the certificate', () => {
    expect(outputsOf()).toMatchObject({
      StreamingUri: 'ws://{EntryBalancer.DNSName}',
      PollingUri: 'http://{EntryBalancer.DNSName}',
      EventsUri: 'http://{EntryBalancer.DNSName}',
    });
    expect(outputsOf(tls)).toMatchObject({
      StreamingUri: 'wss://hosts.example.com',
      PollingUri: 'https://hosts.example.com',
      BalancerTarget: '{EntryBalancer.DNSName}',
    });
  });

  test('is a dashboard of connections, tasks, processor, memory and table', () => {
    const { properties } = onlyResourceOf(fargateTemplate(), 'AWS::CloudWatch::Dashboard');
    expect(textOf(properties['DashboardName'])).toBe('Flagwire-dev-Fargate-{AWS::Region}');
    const body = textOf(properties['DashboardBody']);
    for (const metric of [
      'ActiveFlowCount',
      'NewFlowCount',
      'HealthyHostCount',
      'CPUUtilization',
      'MemoryUtilization',
      'ReadThrottleEvents',
    ]) {
      expect(body).toContain(`"${metric}"`);
    }
  });

  test('is alarms that say what to do, mailed where an address is given, and none where they are off', () => {
    const alarmsOf = (settings = {}) =>
      resourcesOf(fargateTemplate({}, settings), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
    expect(alarmsOf().map(({ AlarmName }) => AlarmName)).toEqual([
      'Flagwire-dev-tasks-missing',
      'Flagwire-dev-tasks-not-ready',
      'Flagwire-dev-tasks-processor',
      'Flagwire-dev-tasks-connections',
      'Flagwire-dev-tasks-memory',
      'Flagwire-dev-balancer-ports',
    ]);
    // Without registered targets, the balancer reports nothing of how many are healthy.
    expect(alarmsOf().map(({ TreatMissingData }) => TreatMissingData)).toEqual([
      'breaching',
      ...Array.from({ length: 5 }, () => 'notBreaching'),
    ]);
    for (const { AlarmDescription, AlarmActions } of alarmsOf({ alarmEmail: 'ops@example.com' })) {
      expect(AlarmDescription).toMatch(/^[A-Z][^.]+\. .*(Look|Raise|Lower) .+\.$/);
      expect(AlarmActions).toHaveLength(1);
    }
    expect(alarmsOf({ alarms: false })).toEqual([]);
  });
});

describe('settings that do not fit each other', () => {
  test.each([
    [{ count: 1 }, 'fargate.count=1'],
    [{ count: 12 }, 'fargate.maximum=10 cannot be used: the minimum is 12'],
    [{ vcpu: 2 }, 'fargate.vcpu=2'],
    [{ vcpu: 0.25, memoryGb: 4 }, 'a task with 0.25 vCPU can have 0.5, 1, 2 GB'],
    [{ network: { vpcId: 'vpc-0a' } }, 'fargate.network.publicSubnetIds is missing'],
    [{ network: { privateSubnetIds: ['subnet-0a', 'subnet-0b'] } }, 'fargate.network.vpcId is missing'],
    [{ network: { vpcId: 'vpc-0a', publicSubnetIds: ['subnet-0a'] } }, 'two or more subnet ids'],
    [{ tls: { domainName: 'hosts.example.com' } }, 'fargate.tls.certificateArn is missing'],
    [tls, 'cannot be used: the region is us-east-1'],
  ])('are refused: %j', (fargate, message) => {
    expect(() => parseSettings({ region: 'us-east-1', fargate })).toThrow(message);
  });
});
