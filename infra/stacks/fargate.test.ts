import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { fargateTemplate, propertiesOf, tls } from '../constructs/fargate/testing/fargateTemplate.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { onlyResourceOf, type Properties, resourcesOf, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const serviceOf = (context = {}) => propertiesOf('AWS::ECS::Service', context);

describe('the stack with hosts on Fargate', () => {
  test('is made only when it is asked for', () => {
    expect(Object.keys(synthesizedTemplates(readConfig({ 'flagwire:fargate': false })))).toEqual([
      'Flagwire-dev-Data',
      'Flagwire-dev-Serverless',
    ]);
  });

  test('runs tasks on arm64 of the size that is asked for', () => {
    const size = (context = {}) => {
      const { Cpu, Memory, RuntimePlatform } = propertiesOf('AWS::ECS::TaskDefinition', context);
      return { Cpu, Memory, RuntimePlatform };
    };
    const RuntimePlatform = { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' };
    expect(size()).toEqual({ Cpu: '1024', Memory: '2048', RuntimePlatform });
    expect(size({ 'flagwire:taskVcpu': '0.25' })).toEqual({ Cpu: '256', Memory: '512', RuntimePlatform });
    expect(size({ 'flagwire:taskMemoryGb': '8' })).toEqual({ Cpu: '1024', Memory: '8192', RuntimePlatform });
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
      fargateTemplate({ 'flagwire:taskConnections': 5_000 }),
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
    const shares = (percent: number) => serviceOf({ 'flagwire:taskSpotPercent': percent })['CapacityProviderStrategy'];
    expect(shares(0)).toEqual([{ CapacityProvider: 'FARGATE', Weight: 100 }]);
    expect(shares(30)).toEqual([
      { CapacityProvider: 'FARGATE', Weight: 70 },
      { CapacityProvider: 'FARGATE_SPOT', Weight: 30 },
    ]);
    expect(shares(100)).toEqual([{ CapacityProvider: 'FARGATE_SPOT', Weight: 100 }]);
  });
});

describe('what an operator sees of it', () => {
  const outputsOf = (context = {}) => {
    const { Outputs = {} } = fargateTemplate(context);
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
    expect(textOf(properties['DashboardName'])).toBe('flagwire-dev-fargate-{AWS::Region}');
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
    const alarmsOf = (context = {}) =>
      resourcesOf(fargateTemplate(context), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
    expect(alarmsOf().map(({ AlarmName }) => AlarmName)).toEqual([
      'flagwire-dev-tasks-missing',
      'flagwire-dev-tasks-not-ready',
      'flagwire-dev-tasks-processor',
      'flagwire-dev-tasks-connections',
      'flagwire-dev-tasks-memory',
      'flagwire-dev-balancer-ports',
    ]);
    for (const { AlarmDescription, AlarmActions } of alarmsOf({ 'flagwire:alarmEmail': 'ops@example.com' })) {
      expect(AlarmDescription).toMatch(/^[A-Z][^.]+\. .*(Look|Raise|Lower) .+\.$/);
      expect(AlarmActions).toHaveLength(1);
    }
    expect(alarmsOf({ 'flagwire:alarms': 'false' })).toEqual([]);
  });
});

describe('settings that do not fit each other', () => {
  test.each([
    [{ 'flagwire:taskCount': 1 }, 'flagwire:taskCount=1'],
    [{ 'flagwire:taskCount': 12 }, 'flagwire:taskMaximum=10 cannot be used: 12 tasks run at least'],
    [{ 'flagwire:taskVcpu': 2 }, 'flagwire:taskVcpu=2'],
    [{ 'flagwire:taskVcpu': 0.25, 'flagwire:taskMemoryGb': 4 }, 'a task of 0.25 vCPU has 0.5, 1, 2 GB'],
    [
      { 'flagwire:vpcId': 'vpc-0a' },
      'flagwire:vpcId cannot be used alone: a network also takes flagwire:publicSubnetIds',
    ],
    [{ 'flagwire:privateSubnetIds': 'subnet-0a,subnet-0b' }, 'flagwire:privateSubnetIds cannot be used alone'],
    [{ 'flagwire:publicSubnetIds': 'subnet-0a' }, 'two or more ids of subnets'],
    [{ 'flagwire:balancerDomainName': 'hosts.example.com' }, 'TLS also takes flagwire:balancerCertificateArn'],
    [{ ...tls, 'flagwire:region': 'us-east-1' }, 'cannot be used: the region is us-east-1'],
  ])('are refused: %j', (context, message) => {
    expect(() => readConfig({ 'flagwire:fargate': true, ...context })).toThrow(message);
  });
});
