import { describe, expect, jest, test } from '@jest/globals';
import { resourcesOf, textOf } from '../../stacks/testing/templates.ts';
import { fargateTemplate, propertiesOf } from './testing/fargateTemplate.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const network = {
  vpcId: 'vpc-0a',
  publicSubnetIds: ['subnet-0a', 'subnet-0b'],
  privateSubnetIds: ['subnet-1a', 'subnet-1b'],
};

const serviceOf = (fargate = {}) => propertiesOf('AWS::ECS::Service', fargate);

describe('the network', () => {
  test('is one of its own without a NAT gateway, where tasks have addresses and reach table and program by endpoints', () => {
    expect(resourcesOf(fargateTemplate(), 'AWS::EC2::NatGateway')).toEqual([]);
    expect(serviceOf()).toMatchObject({ NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } } });
    const services = resourcesOf(fargateTemplate(), 'AWS::EC2::VPCEndpoint').map(({ properties }) =>
      textOf(properties['ServiceName']),
    );
    expect(services.sort()).toEqual(['com.amazonaws.{AWS::Region}.dynamodb', 'com.amazonaws.{AWS::Region}.s3']);
  });

  test('is one that is there, with tasks in subnets of their own, or beside the balancer', () => {
    const made = ['AWS::EC2::VPC', 'AWS::EC2::Subnet'].flatMap((type) =>
      resourcesOf(fargateTemplate({ network }), type),
    );
    expect(made).toEqual([]);
    expect(propertiesOf('AWS::ElasticLoadBalancingV2::LoadBalancer', { network })['Subnets']).toEqual([
      'subnet-0a',
      'subnet-0b',
    ]);
    expect(serviceOf({ network })['NetworkConfiguration']).toMatchObject({
      AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: ['subnet-1a', 'subnet-1b'] },
    });
    const { privateSubnetIds: _, ...publicOnly } = network;
    expect(serviceOf({ network: publicOnly })['NetworkConfiguration']).toMatchObject({
      AwsvpcConfiguration: { AssignPublicIp: 'ENABLED', Subnets: ['subnet-0a', 'subnet-0b'] },
    });
  });

  test('lets all addresses reach the balancer, or those that are allowed', () => {
    const ranges = (fargate = {}) =>
      resourcesOf(fargateTemplate(fargate), 'AWS::EC2::SecurityGroup')
        .flatMap(({ properties }) => (properties['SecurityGroupIngress'] ?? []) as { CidrIp?: string }[])
        .flatMap(({ CidrIp }) => CidrIp ?? []);
    expect(ranges()).toEqual(['0.0.0.0/0']);
    expect(ranges({ allowedCidrs: ['10.0.0.0/8', '203.0.113.0/24'] })).toEqual(['10.0.0.0/8', '203.0.113.0/24']);
  });

  test('has a balancer that the internet reaches, or an internal one', () => {
    const scheme = (fargate = {}) => propertiesOf('AWS::ElasticLoadBalancingV2::LoadBalancer', fargate)['Scheme'];
    expect(scheme()).toBe('internet-facing');
    expect(scheme({ balancer: 'internal' })).toBe('internal');
  });
});
