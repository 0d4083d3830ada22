import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../config/config.ts';
import { type Properties, resourcesOf, textOf } from '../../stacks/testing/templates.ts';
import { listenerPort } from './hostBalancer.ts';
import { fargateTemplate, propertiesOf, tls } from './testing/fargateTemplate.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const attributesOf = (properties: Properties, name: string) =>
  Object.fromEntries((properties[name] as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]));

describe('the balancer', () => {
  const groupOf = (context = {}) => propertiesOf('AWS::ElasticLoadBalancingV2::TargetGroup', context);
  const listenerOf = (context = {}) => propertiesOf('AWS::ElasticLoadBalancingV2::Listener', context);

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
    const balancer = propertiesOf('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(balancer).toMatchObject({ Type: 'network', Scheme: 'internet-facing' });
    expect(attributesOf(balancer, 'LoadBalancerAttributes')['load_balancing.cross_zone.enabled']).toBe('true');
  });

  test('listens for TCP, or with a certificate for TLS', () => {
    expect(listenerOf()).toMatchObject({ Port: 80, Protocol: 'TCP' });
    expect(listenerOf(tls)).toMatchObject({
      Port: 443,
      Protocol: 'TLS',
      Certificates: [{ CertificateArn: tls.tls.certificateArn }],
      SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
    });
  });

  test.each([{}, tls])('is all that reaches tasks, and reaches nothing else (%#)', (fargate) => {
    const rules = resourcesOf(fargateTemplate(fargate), 'AWS::EC2::SecurityGroupIngress');
    expect(rules.map(({ properties: { FromPort, ToPort, CidrIp } }) => [FromPort, ToPort, CidrIp])).toEqual([
      [5_100, 5_100, undefined],
    ]);
    expect(textOf(rules[0]?.properties['SourceSecurityGroupId'])).toBe('{NetworkBalancer.GroupId}');
    const open = resourcesOf(fargateTemplate(fargate), 'AWS::EC2::SecurityGroup').map(
      ({ properties }) =>
        (properties['SecurityGroupIngress'] as Properties[] | undefined)?.map(({ FromPort }) => FromPort) ?? [],
    );
    expect(open).toEqual([[listenerPort(readConfig({ fargate }).fargate?.tls)], []]);
  });
});
