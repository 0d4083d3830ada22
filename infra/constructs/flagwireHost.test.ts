import { describe, expect, test } from '@jest/globals';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { Stack } from 'aws-cdk-lib/core';
import { onlyResourceOf, resourcesOf } from '../stacks/testing/templates.ts';
import { newStack, synthesizeStack } from '../testing/testStack.ts';
import { Flagwire } from './flagwire.ts';
import { FlagwireHost, type FlagwireHostProps } from './flagwireHost.ts';

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/abc';
const domainName = 'host.example.com';

/** A stack with hosts of an existing service. */
function create(props: (stack: Stack) => Omit<FlagwireHostProps, 'flags'>) {
  const stack = newStack();
  const flags = Flagwire.fromAttributes(stack, 'Flags', {
    flagsTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/flags',
    streamingUrl: 'wss://flags.example.com',
    httpUrl: 'https://flags.example.com',
    name: 'Flagwire-prod',
    insightStream: 'insights',
  });
  const hosts = new FlagwireHost(stack, 'Host', { flags, ...props(stack) });
  return { stack, hosts, template: synthesizeStack(stack) };
}

const certificateIn = (stack: Stack, arn = certificateArn) => Certificate.fromCertificateArn(stack, 'Certificate', arn);

// The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
const networkIn = (stack: Stack) => new Vpc(stack, 'Vpc') as IVpc;
const LISTENER = 'AWS::ElasticLoadBalancingV2::Listener';

describe('hosts on Fargate', () => {
  const { template, hosts } = create((stack) => ({
    vpc: networkIn(stack),
    certificate: certificateIn(stack),
    domainName,
  }));

  test('run in the private subnets of the network given, behind a balancer in the public ones', () => {
    const subnets = (type: string, key: string) => {
      const { properties } = onlyResourceOf(template, type);
      return new Set(JSON.stringify(properties[key]).match(/(Private|Public)Subnet/g));
    };
    expect(resourcesOf(template, 'AWS::EC2::VPC')).toHaveLength(1);
    expect(subnets('AWS::ECS::Service', 'NetworkConfiguration')).toEqual(new Set(['PrivateSubnet']));
    expect(subnets('AWS::ElasticLoadBalancingV2::LoadBalancer', 'Subnets')).toEqual(new Set(['PublicSubnet']));
  });

  test('have TLS with the certificate given, and URLs of its domain', () => {
    const certificates = { Protocol: 'TLS', Certificates: [{ CertificateArn: certificateArn }] };
    expect(onlyResourceOf(template, LISTENER).properties).toMatchObject(certificates);
    const { streamingUrl, pollingUrl, eventsUrl, outputs } = hosts;
    expect([streamingUrl, pollingUrl, eventsUrl]).toEqual(
      ['wss', 'https', 'https'].map((it) => `${it}://${domainName}`),
    );
    expect(outputs).toHaveProperty('BalancerTarget');
  });

  test('have alarms with the names of the service and the construct', () => {
    for (const { properties } of resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      expect(properties['AlarmName']).toMatch(/^Flagwire-prod-Host/);
  });
});

describe('hosts on EC2', () => {
  test('run in a network of their own by default', () => {
    const { template, hosts } = create(() => ({ ec2: {} }));
    expect(resourcesOf(template, 'AWS::EC2::VPC')).toHaveLength(1);
    expect(resourcesOf(template, 'AWS::EC2::Instance')).toHaveLength(1);
    expect(hosts.streamingUrl).toMatch(/^ws:/);
  });

  test('are behind CloudFront in the given network with a certificate', () => {
    const { template } = create((stack) => ({
      vpc: networkIn(stack),
      certificate: certificateIn(stack, certificateArn.replace('eu-west-1', 'us-east-1')),
      domainName,
      ec2: { network: 'public' },
    }));
    expect(resourcesOf(template, 'AWS::EC2::VPC')).toHaveLength(1);
    expect(resourcesOf(template, 'AWS::CloudFront::VpcOrigin')).toHaveLength(1);
  });
});
