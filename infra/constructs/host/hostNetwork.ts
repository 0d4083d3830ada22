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

/** Source of connections to the port of a host: `cloudfront` (see admitOrigin), or `internet` without TLS. */
export type Entry = 'network' | 'internet' | 'cloudfront';

/** Settings of the network. */
interface HostNetworkProps {
  /** The zone of the machines. By default, the region's first. */
  readonly zone?: string;
  /** The port of the host. */
  readonly port: number;
  /** Clients of that port. */
  readonly entry: Entry;
  /** Allowed address ranges of clients. They also open a port that `network` would leave closed. */
  readonly allowedCidrs?: readonly string[];
  /** An existing network instead of a new one. Its public subnets are used. */
  readonly vpc?: IVpc;
}

/**
 * A new network for a host, with a public subnet, because machines use the internet. It has no NAT gateway, which would cost more than a
 * host. The load generator always reaches the host.
 */
export class HostNetwork extends Construct {
  readonly vpc: IVpc;
  readonly host: SecurityGroup;
  readonly generator: SecurityGroup;

  constructor(scope: Construct, id: string, { zone, port, entry, allowedCidrs, vpc }: HostNetworkProps) {
    super(scope, id);
    const unlogged =
      'The network has hosts and a load generator only; a line for each connection would cost more than they do.';
    const zones = zone === undefined ? firstZones(1) : [zone];
    this.vpc = vpc ?? addPublicNetwork(this, zones, { mapPublicIpOnLaunch: true, cidrMask: 20 }, unlogged);
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllOutbound: false });
    this.generator = group('Generator', 'The load generator: nobody reaches it');
    this.host = group('Host', `The hosts: reached by ${entry}`);
    this.host.addIngressRule(this.generator, Port.tcp(port), 'the load');
    this.generator.addEgressRule(this.host, Port.tcp(port), 'the load');
    // Hosts on Fargate are in another network, behind a public load balancer.
    this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(80), 'the load on other hosts');
    // The load generator reaches a public name through public addresses.
    if (entry === 'internet') this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(port), 'the load');
    const clients = allowedCidrs?.map((range) => Peer.ipv4(range)) ?? (entry === 'internet' ? [Peer.anyIpv4()] : []);
    for (const peer of clients) this.host.addIngressRule(peer, Port.tcp(port), 'clients');
    if (entry === 'internet') {
      acknowledge(
        this.host,
        'AwsSolutions-EC23',
        'Flags are served to wherever the applications are; host.allowedCidrs limits it.',
      );
    }
    for (const each of [this.host, this.generator]) {
      each.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Session Manager, CloudWatch, packages');
    }
  }
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
