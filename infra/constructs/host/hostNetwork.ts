import {
  GatewayVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  type SubnetConfiguration,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { HOST_PORT } from './hostEnvironment.ts';

/** Settings of the network. */
interface HostNetworkProps {
  /** The zone of the machines. By default, the region's first. */
  readonly zone?: string;
  /** Clients of the host: `cloudfront` (see admitOrigin), or `internet` without TLS. */
  readonly entry: 'network' | 'internet' | 'cloudfront';
  /** Allowed address ranges of clients. They also open a port that `network` would leave closed. */
  readonly allowedCidrs?: readonly string[];
  /** An existing network instead of a new one. Its public subnets are used. */
  readonly vpc?: IVpc;
}

/** See {@link addHostNetwork}. */
export type HostNetwork = ReturnType<typeof addHostNetwork>;

/**
 * Adds a network for a host, with a public subnet, because machines use the internet. It has no NAT gateway, which would cost more than a
 * host. The load generator always reaches the host.
 *
 * @returns with the security groups of host and load generator
 */
export function addHostNetwork(parent: Construct, { zone, entry, allowedCidrs, vpc: given }: HostNetworkProps) {
  const scope = new Construct(parent, 'Network');
  const port = Port.tcp(HOST_PORT);
  const unlogged =
    'The network has hosts and a load generator only; a line for each connection would cost more than they do.';
  const zones = zone === undefined ? firstZones(1) : [zone];
  const vpc = given ?? addPublicNetwork(scope, zones, { mapPublicIpOnLaunch: true, cidrMask: 20 }, unlogged);
  const group = (name: string, description: string) =>
    new SecurityGroup(scope, name, { vpc, description, allowAllOutbound: false });
  const generator = group('Generator', 'The load generator: nobody reaches it');
  const host = group('Host', `The hosts: reached by ${entry}`);
  host.addIngressRule(generator, port, 'the load');
  generator.addEgressRule(host, port, 'the load');
  // Hosts on Fargate are in another network, behind a public load balancer.
  generator.addEgressRule(Peer.anyIpv4(), Port.tcp(80), 'the load on other hosts');
  // The load generator reaches a public name through public addresses.
  if (entry === 'internet') generator.addEgressRule(Peer.anyIpv4(), port, 'the load');
  const clients = allowedCidrs?.map((range) => Peer.ipv4(range)) ?? (entry === 'internet' ? [Peer.anyIpv4()] : []);
  for (const peer of clients) host.addIngressRule(peer, port, 'clients');
  if (entry === 'internet') {
    const why = 'Flags are served to wherever the applications are; host.allowedCidrs limits it.';
    acknowledge(host, 'AwsSolutions-EC23', why);
  }
  for (const each of [host, generator]) {
    each.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Session Manager, CloudWatch, packages');
  }
  return { vpc, host, generator };
}

/**
 * Adds a network with gateway endpoints and a public subnet in each zone, without a NAT gateway.
 *
 * @param unlogged why it has no flow logs
 */
export function addPublicNetwork(
  scope: Construct,
  zones: readonly string[],
  subnets: Pick<SubnetConfiguration, 'mapPublicIpOnLaunch' | 'cidrMask'>,
  unlogged: string,
): IVpc {
  const vpc = new Vpc(scope, 'Vpc', {
    // Named here instead of looked up, so that synthesis needs no account.
    availabilityZones: [...zones],
    natGateways: 0,
    subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC, ...subnets }],
    restrictDefaultSecurityGroup: false,
    gatewayEndpoints: {
      DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      S3: { service: GatewayVpcEndpointAwsService.S3 },
    },
  });
  acknowledge(vpc, 'AwsSolutions-VPC7', unlogged);
  // CDK types the two differently under exactOptionalPropertyTypes.
  return vpc as IVpc;
}

/** The first zones of the region. CloudFormation looks them up. */
export function firstZones(zones: number): string[] {
  return Array.from({ length: zones }, (_, index) => Fn.select(index, Fn.getAzs()));
}
