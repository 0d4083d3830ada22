import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { listenerPort } from '../constructs/fargate/hostBalancer.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { onlyResourceOf, type Properties, resourcesOf, templateWith, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const template = (context = {}) => templateWith('Fargate', { 'flagwire:fargate': 'true', ...context });
const tls = {
  'flagwire:balancerDomainName': 'hosts.example.com',
  'flagwire:balancerCertificateArn':
    'arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const network = {
  'flagwire:vpcId': 'vpc-0a',
  'flagwire:publicSubnetIds': 'subnet-0a,subnet-0b',
  'flagwire:privateSubnetIds': 'subnet-1a,subnet-1b',
};

const of = (type: string, context = {}): Properties => onlyResourceOf(template(context), type).properties;
const serviceOf = (context = {}) => of('AWS::ECS::Service', context);
const containersOf = (context = {}) =>
  of('AWS::ECS::TaskDefinition', context)['ContainerDefinitions'] as [Properties, Properties];
const settingsOf = (properties: Properties) =>
  Object.fromEntries(
    (properties['Environment'] as { Name: string; Value: unknown }[]).map((each) => [each.Name, textOf(each.Value)]),
  );
const attributesOf = (properties: Properties, name: string) =>
  Object.fromEntries((properties[name] as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]));

describe('the stack with hosts on Fargate', () => {
  test('is made only when it is asked for', () => {
    expect(Object.keys(synthesizedTemplates(readConfig({ 'flagwire:fargate': false })))).toEqual([
      'Flagwire-dev-Data',
      'Flagwire-dev-Serverless',
    ]);
  });

  test('runs tasks on arm64 of the size that is asked for', () => {
    const size = (context = {}) => {
      const { Cpu, Memory, RuntimePlatform } = of('AWS::ECS::TaskDefinition', context);
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
    const { template: resource } = onlyResourceOf(template(), 'AWS::ECS::Service');
    for (const type of ['AWS::ElasticLoadBalancingV2::Listener', 'AWS::ECS::ClusterCapacityProviderAssociations'])
      expect(resource.DependsOn).toContain(onlyResourceOf(template(), type).id);
  });

  test('has two tasks at least, in two zones, and as many as processor and connections take', () => {
    expect(resourcesOf(template(), 'AWS::EC2::Subnet').map(({ properties }) => properties['AvailabilityZone'])).toEqual(
      [{ 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }, { 'Fn::Select': [1, { 'Fn::GetAZs': '' }] }],
    );
    expect(of('AWS::ApplicationAutoScaling::ScalableTarget')).toMatchObject({ MinCapacity: 2, MaxCapacity: 10 });
    const policies = resourcesOf(
      template({ 'flagwire:taskConnections': 5_000 }),
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

describe('a task', () => {
  test('fetches the program and checks it before the host runs, which is without rights and can change nothing', () => {
    const [fetch, host] = containersOf();
    expect(fetch).toMatchObject({ Name: 'fetch', Essential: false, EntryPoint: ['sh', '-c'] });
    const lines = textOf((fetch['Command'] as [unknown])[0]).split('\n');
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
    expect(at('aws s3 cp')).toBeLessThan(at('if ! sha256sum --check'));
    expect(at('if ! sha256sum --check')).toBeLessThan(at('chmod 0555 bun host.js'));
    expect(host).toMatchObject({
      Name: 'host',
      Essential: true,
      DependsOn: [{ ContainerName: 'fetch', Condition: 'SUCCESS' }],
      EntryPoint: ['/flagwire/bun', '/flagwire/host.js'],
      User: '65534:65534',
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] }, InitProcessEnabled: true },
      MountPoints: [{ ContainerPath: '/flagwire', ReadOnly: true, SourceVolume: 'program' }],
    });
  });

  test('is in the image that a setting names, by tag or digest', () => {
    const digest = `public.ecr.aws/aws-cli/aws-cli@sha256:${'0a'.repeat(32)}`;
    for (const image of ['quay.io/some/aws-cli:2', digest]) {
      expect(containersOf({ 'flagwire:taskImage': image }).map(({ Image }) => Image)).toEqual([image, image]);
    }
    expect(() => readConfig({ 'flagwire:fargate': true, 'flagwire:taskImage': 'aws-cli' })).toThrow(
      'its tag or its digest',
    );
  });

  test('may have as many files open as the unit of the comparison stack', () => {
    expect(containersOf()[1]['Ulimits']).toEqual([{ Name: 'nofile', SoftLimit: 200_000, HardLimit: 200_000 }]);
  });

  test('has the time that its drain takes, within what Fargate allows', () => {
    for (const seconds of [60, 110]) {
      const [, host] = containersOf({ 'flagwire:taskDrainSeconds': seconds });
      expect(host['StopTimeout']).toBe(seconds + 10);
      expect(settingsOf(host)['DRAIN_MS']).toBe(String(seconds * 1_000));
    }
    expect(() => readConfig({ 'flagwire:taskDrainSeconds': 111 })).toThrow('flagwire:taskDrainSeconds=111');
  });

  test('closes what is silent before the balancer forgets it, and serves its metrics where the balancer does not lead', () => {
    const { IDLE_TIMEOUT_MS, PORT, METRICS_PORT, ...settings } = settingsOf(containersOf()[1]);
    expect(Number(IDLE_TIMEOUT_MS)).toBeLessThan(350_000);
    expect([PORT, METRICS_PORT]).toEqual(['5100', '5101']);
    expect(containersOf()[1]['PortMappings']).toEqual([{ ContainerPort: 5_100, Protocol: 'tcp' }]);
    expect(settings).toEqual({
      FLAGS_TABLE: '{Flags}',
      AWS_REGION: '{AWS::Region}',
      INSIGHT_STREAM: '{InsightStream}',
      MISSING_ATTRIBUTE: 'empty',
      DRAIN_MS: '60000',
      NODE_ENV: 'production',
    });
  });

  test('may read the one table and its program, and hand events to the one stream', () => {
    const statements = resourcesOf(template(), 'AWS::IAM::Policy').flatMap(
      ({ properties }) =>
        (properties['PolicyDocument'] as { Statement: { Action: string | string[]; Resource: unknown }[] }).Statement,
    );
    const sentences = statements.map(
      ({ Action, Resource }) => `${[Action].flat().join(' ')} on ${[Resource].flat().map(textOf).join(' ')}`,
    );
    expect(sentences).toEqual([
      'dynamodb:GetItem dynamodb:Query on {Flags.Arn}',
      expect.stringMatching(/^s3:GetObject on arn:{AWS::Partition}:s3:::cdk-hnb659fds-assets-[^*]+\.json$/),
      'firehose:PutRecordBatch on arn:{AWS::Partition}:firehose:{AWS::Region}:{AWS::AccountId}:deliverystream/{InsightStream}',
      'logs:CreateLogStream logs:PutLogEvents on {Logs.Arn}',
    ]);
    for (const { properties } of resourcesOf(template(), 'AWS::IAM::Role')) {
      expect(properties).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  test('writes a log that it does not wait for', () => {
    for (const { LogConfiguration } of containersOf()) {
      expect(LogConfiguration).toMatchObject({ LogDriver: 'awslogs', Options: { mode: 'non-blocking' } });
    }
  });
});

describe('the balancer', () => {
  const groupOf = (context = {}) => of('AWS::ElasticLoadBalancingV2::TargetGroup', context);
  const listenerOf = (context = {}) => of('AWS::ElasticLoadBalancingV2::Listener', context);

  test('asks tasks for their readiness', () => {
    expect(groupOf()).toMatchObject({
      HealthCheckProtocol: 'HTTP',
      HealthCheckPath: '/health/readiness',
      Matcher: { HttpCode: '200' },
      Port: 5_100,
      Protocol: 'TCP',
      TargetType: 'ip',
    });
  });

  test('sends nobody to a task for a while before it stops, and leaves it to it to close connections', () => {
    expect(attributesOf(groupOf(), 'TargetGroupAttributes')).toEqual({
      'deregistration_delay.timeout_seconds': '30',
      'deregistration_delay.connection_termination.enabled': 'false',
      'preserve_client_ip.enabled': 'false',
      'target_health_state.unhealthy.connection_termination.enabled': 'true',
    });
  });

  test('spreads connections over tasks of all zones', () => {
    const balancer = of('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(balancer).toMatchObject({ Type: 'network', Scheme: 'internet-facing' });
    expect(attributesOf(balancer, 'LoadBalancerAttributes')['load_balancing.cross_zone.enabled']).toBe('true');
  });

  test('listens for TCP, or with a certificate for TLS', () => {
    expect(listenerOf()).toMatchObject({ Port: 80, Protocol: 'TCP' });
    expect(listenerOf(tls)).toMatchObject({
      Port: 443,
      Protocol: 'TLS',
      Certificates: [{ CertificateArn: tls['flagwire:balancerCertificateArn'] }],
      SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
    });
  });

  test.each([{}, tls])('is all that reaches tasks, and reaches nothing else (%#)', (context) => {
    const rules = resourcesOf(template(context), 'AWS::EC2::SecurityGroupIngress');
    expect(rules.map(({ properties: { FromPort, ToPort, CidrIp } }) => [FromPort, ToPort, CidrIp])).toEqual([
      [5_100, 5_100, undefined],
    ]);
    expect(textOf(rules[0]?.properties['SourceSecurityGroupId'])).toBe('{NetworkBalancer.GroupId}');
    const open = resourcesOf(template(context), 'AWS::EC2::SecurityGroup').map(
      ({ properties }) =>
        (properties['SecurityGroupIngress'] as Properties[] | undefined)?.map(({ FromPort }) => FromPort) ?? [],
    );
    expect(open).toEqual([[listenerPort(readConfig({ 'flagwire:fargate': true, ...context }).fargate?.tls)], []]);
  });
});

describe('the network', () => {
  test('is one of its own without a NAT gateway, where tasks have addresses and reach table and program by endpoints', () => {
    expect(resourcesOf(template(), 'AWS::EC2::NatGateway')).toEqual([]);
    expect(serviceOf()).toMatchObject({ NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } } });
    const services = resourcesOf(template(), 'AWS::EC2::VPCEndpoint').map(({ properties }) =>
      textOf(properties['ServiceName']),
    );
    expect(services.sort()).toEqual(['com.amazonaws.{AWS::Region}.dynamodb', 'com.amazonaws.{AWS::Region}.s3']);
  });

  test('is one that is there, with tasks in subnets of their own, or beside the balancer', () => {
    const made = ['AWS::EC2::VPC', 'AWS::EC2::Subnet'].flatMap((type) => resourcesOf(template(network), type));
    expect(made).toEqual([]);
    expect(of('AWS::ElasticLoadBalancingV2::LoadBalancer', network)['Subnets']).toEqual(['subnet-0a', 'subnet-0b']);
    expect(serviceOf(network)['NetworkConfiguration']).toMatchObject({
      AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: ['subnet-1a', 'subnet-1b'] },
    });
    const { 'flagwire:privateSubnetIds': _, ...beside } = network;
    expect(serviceOf(beside)['NetworkConfiguration']).toMatchObject({
      AwsvpcConfiguration: { AssignPublicIp: 'ENABLED', Subnets: ['subnet-0a', 'subnet-0b'] },
    });
  });
});

describe('what an operator sees of it', () => {
  const outputsOf = (context = {}) => {
    const { Outputs = {} } = template(context);
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
    const { properties } = onlyResourceOf(template(), 'AWS::CloudWatch::Dashboard');
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
      resourcesOf(template(context), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
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
