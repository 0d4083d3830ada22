import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../config/settingsSchema.ts';
import { onlyResourceOf, type Properties, resourcesOf, templateWith, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const tls = {
  domainName: 'hosts.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const template = (host: NonNullable<Settings['host']>, settings: Settings = {}) =>
  templateWith('Host', { ...settings, host });
const outputOf = (host: NonNullable<Settings['host']>, name: string) => textOf(template(host).Outputs?.[name]?.Value);
/** From which addresses which port is reached. */
const openings = (host: NonNullable<Settings['host']>) =>
  resourcesOf(template(host), 'AWS::EC2::SecurityGroup').flatMap(({ properties }) =>
    ((properties['SecurityGroupIngress'] ?? []) as Properties[]).map(({ CidrIp, FromPort }) => [CidrIp, FromPort]),
  );

describe('one host', () => {
  test('keeps one address over replacements where it is public', () => {
    const host = { network: 'public' } as const;
    expect(openings(host)).toEqual([['0.0.0.0/0', 5100]]);
    const { properties } = onlyResourceOf(template(host), 'AWS::EC2::EIP');
    expect(textOf(properties['InstanceId'])).toMatch(/^\{HostMachineInstance/);
    expect(outputOf(host, 'StreamingUri')).toBe('ws://{HostAddress}:5100');
    expect(resourcesOf(template(true), 'AWS::EC2::EIP')).toEqual([]);
  });

  describe('with TLS', () => {
    const host = { network: 'public', tls } as const;

    test('is behind CloudFront, and admits no addresses', () => {
      expect(openings(host)).toEqual([]);
      expect(resourcesOf(template(host), 'AWS::EC2::EIP')).toEqual([]);
      const { properties } = onlyResourceOf(template(host), 'AWS::CloudFront::Distribution');
      expect(properties['DistributionConfig']).toMatchObject({
        Aliases: ['hosts.example.com'],
        DefaultCacheBehavior: { ViewerProtocolPolicy: 'https-only' },
      });
      expect(onlyResourceOf(template(host), 'AWS::CloudFront::VpcOrigin').properties).toMatchObject({
        VpcOriginEndpointConfig: { HTTPPort: 5100, OriginProtocolPolicy: 'http-only' },
      });
      expect([outputOf(host, 'StreamingUri'), outputOf(host, 'PollingUri')]).toEqual([
        'wss://hosts.example.com',
        'https://hosts.example.com',
      ]);
      expect(outputOf(host, 'DomainTarget')).toMatch(/^\{EdgeDistribution.*DomainName\}$/);
    });

    test('has another VPC origin for another instance, as one in use cannot be changed', () => {
      const originOf = (settings: Settings) => {
        const { id, properties } = onlyResourceOf(template(host, settings), 'AWS::CloudFront::VpcOrigin');
        return [id, textOf((properties['VpcOriginEndpointConfig'] as Properties)['Name'])];
      };
      const [id, name] = originOf({});
      expect(originOf({})).toEqual([id, name]);
      const changed = originOf({ missingAttribute: 'no-match' });
      expect(changed).not.toContain(id);
      expect(changed).not.toContain(name);
    });
  });
});

describe('several hosts', () => {
  const host = { count: 3, network: 'public', tls } as const;

  test('are a group that is replaced one after the other, each once the new one is ready', () => {
    const { properties, template: resource } = onlyResourceOf(template(host), 'AWS::AutoScaling::AutoScalingGroup');
    expect(properties).toMatchObject({ MinSize: '3', MaxSize: '4', HealthCheckType: 'ELB' });
    expect(resource).toMatchObject({
      CreationPolicy: { ResourceSignal: { Count: 3, Timeout: 'PT10M' } },
      UpdatePolicy: {
        AutoScalingRollingUpdate: {
          MaxBatchSize: 1,
          MinInstancesInService: 3,
          PauseTime: 'PT10M',
          WaitOnResourceSignals: true,
        },
      },
    });
  });

  test('signal by the group, and hear of silence before the balancer forgets them', () => {
    const { properties } = onlyResourceOf(template(host), 'AWS::EC2::LaunchTemplate');
    const { id } = onlyResourceOf(template(host), 'AWS::AutoScaling::AutoScalingGroup');
    const data = properties['LaunchTemplateData'] as Properties;
    const userData = textOf((data['UserData'] as { 'Fn::Base64': unknown })['Fn::Base64']);
    expect(userData).toContain(`--resource ${id} `);
    expect(userData).toContain(' IDLE_TIMEOUT_MS=300000');
    expect(data).toMatchObject({
      CreditSpecification: { CpuCredits: 'standard' },
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      BlockDeviceMappings: [{ Ebs: { Encrypted: true } }],
    });
  });

  test('are reached by the balancer only, which speaks TLS', () => {
    expect(openings(host)).toEqual([['0.0.0.0/0', 443]]);
    expect(onlyResourceOf(template(host), 'AWS::ElasticLoadBalancingV2::Listener').properties).toMatchObject({
      Port: 443,
      Protocol: 'TLS',
    });
    expect(onlyResourceOf(template(host), 'AWS::ElasticLoadBalancingV2::TargetGroup').properties).toMatchObject({
      TargetType: 'instance',
      HealthCheckPath: '/health/readiness',
    });
    expect(outputOf(host, 'StreamingUri')).toBe('wss://hosts.example.com');
  });

  test('have an internal balancer where they are private, which the load generator reaches', () => {
    const inside = { count: 2, loadGenerator: true } as const;
    expect(openings(inside)).toEqual([]);
    expect(onlyResourceOf(template(inside), 'AWS::ElasticLoadBalancingV2::LoadBalancer').properties).toMatchObject({
      Scheme: 'internal',
    });
    const rules = resourcesOf(template(inside), 'AWS::EC2::SecurityGroupIngress').map(({ properties }) => [
      textOf(properties['GroupId']).replace('Network', ''),
      properties['FromPort'],
      textOf(properties['SourceSecurityGroupId']).replace('Network', ''),
    ]);
    expect(rules.sort()).toEqual([
      ['{Balancer.GroupId}', 80, '{Generator.GroupId}'],
      ['{Host.GroupId}', 5100, '{Balancer.GroupId}'],
    ]);
  });

  test('are on Spot where it is asked for, and replaced before they are taken away', () => {
    const launch = (more: NonNullable<Settings['host']>) =>
      onlyResourceOf(template(more), 'AWS::EC2::LaunchTemplate').properties['LaunchTemplateData'];
    expect(launch({ count: 2, spot: true })).toMatchObject({ InstanceMarketOptions: { MarketType: 'spot' } });
    expect(launch({ count: 2 })).not.toHaveProperty('InstanceMarketOptions');
    const { properties } = onlyResourceOf(template({ count: 2, spot: true }), 'AWS::AutoScaling::AutoScalingGroup');
    expect(properties['CapacityRebalance']).toBe(true);
  });

  test('raise an alarm when one is missing, also when the balancer has none to count', () => {
    const alarms = resourcesOf(template(host), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
    expect(alarms.map(({ AlarmName, TreatMissingData }) => [AlarmName, TreatMissingData]).sort()).toEqual([
      ['Flagwire-dev-host-balancer-ports', 'notBreaching'],
      ['Flagwire-dev-hosts-missing', 'breaching'],
    ]);
    const missing = alarms.find(({ AlarmName }) => String(AlarmName).endsWith('hosts-missing'));
    expect(missing).toMatchObject({ Threshold: 0, EvaluationPeriods: 10 });
    expect(missing?.['Metrics']).toContainEqual(expect.objectContaining({ Expression: '3 - FILL(hosts, 0)' }));
  });

  test.each([
    [{ count: 2 }, ['10.8.0.0/16', 80]],
    [{ count: 2, network: 'public' }, ['10.8.0.0/16', 80]],
    [{}, ['10.8.0.0/16', 5100]],
    [{ network: 'public' }, ['10.8.0.0/16', 5100]],
  ] as const)('are reached from the ranges that are allowed, and no others: %j', (more, opening) => {
    expect(openings({ ...more, allowedCidrs: ['10.8.0.0/16'] })).toEqual([opening]);
  });
});
