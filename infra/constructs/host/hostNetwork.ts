import {
  GatewayVpcEndpointAwsService,
  type ISubnet,
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

/** Source of connections to the port of a host: `cloudfront` (see OriginAccess), or `internet` without TLS. */
export type Entry = 'network' | 'internet' | 'cloudfront';

/** Settings of the network. */
interface HostNetworkProps {
  /** The zones of the machines. */
  readonly zones: readonly string[];
  /** The port of hosts. */
  readonly port: number;
  /** Clients of the port of one host, or of the load balancer in front of several. */
  readonly entry: Entry;
  readonly balancerPort?: number;
  /** Allowed address ranges of clients. They also open a port that `network` would leave closed. */
  readonly allowedCidrs?: readonly string[];
  /** An existing network instead of a new one. Its public subnets are used. */
  readonly vpc?: IVpc;
}

/**
 * A new network for hosts, with a public subnet in each zone, because machines use the internet. It has no NAT gateway, which would cost
 * more than a host. The load generator always reaches the host or its load balancer.
 */
export class HostNetwork extends Construct {
  readonly vpc: IVpc;
  readonly host: SecurityGroup;
  readonly generator: SecurityGroup;
  readonly #balancer: SecurityGroup | undefined;

  constructor(scope: Construct, id: string, props: HostNetworkProps) {
    super(scope, id);
    const { zones, port, entry, balancerPort } = props;
    const unlogged =
      'The network has hosts and a load generator only; a line for each connection would cost more than they do.';
    // A fixed size: the first subnet is the same with one zone and with two.
    this.vpc = props.vpc ?? addPublicNetwork(this, zones, { mapPublicIpOnLaunch: true, cidrMask: 20 }, unlogged);
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllOutbound: false });
    this.generator = group('Generator', 'The load generator: nobody reaches it');
    this.host = group('Host', `The hosts: reached by ${balancerPort === undefined ? entry : 'the load balancer only'}`);
    this.#balancer =
      balancerPort === undefined ? undefined : group('Balancer', `The load balancer: reached by ${entry}`);
    this.#balancer?.addEgressRule(this.host, Port.tcp(port), 'connections and health checks');
    if (this.#balancer) this.host.addIngressRule(this.#balancer, Port.tcp(port), 'connections and health checks');
    const [door, doorPort] = [this.#balancer ?? this.host, balancerPort ?? port];
    door.addIngressRule(this.generator, Port.tcp(doorPort), 'the load');
    this.generator.addEgressRule(door, Port.tcp(doorPort), 'the load');
    // Hosts on Fargate are in another network, behind a public load balancer.
    this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(80), 'the load on other hosts');
    // The load generator reaches a public name through public addresses.
    if (entry === 'internet') this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(doorPort), 'the load');
    this.#open(door, doorPort, entry, props);
    for (const each of [this.host, this.generator]) {
      each.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Session Manager, CloudWatch, packages');
    }
  }

  /** Subnets of machines and load balancer. */
  get subnets(): ISubnet[] {
    return this.vpc.publicSubnets;
  }

  /** The network in the format of a load balancer. @throws Error if no port was given for one */
  get atBalancer(): { vpc: IVpc; balancerSubnets: ISubnet[]; balancer: SecurityGroup } {
    if (!this.#balancer) throw new Error('This network has no balancer.');
    return { vpc: this.vpc, balancerSubnets: this.subnets, balancer: this.#balancer };
  }

  #open(door: SecurityGroup, port: number, entry: Entry, { allowedCidrs }: HostNetworkProps): void {
    const clients = allowedCidrs?.map((range) => Peer.ipv4(range)) ?? (entry === 'internet' ? [Peer.anyIpv4()] : []);
    for (const peer of clients) door.addIngressRule(peer, Port.tcp(port), 'clients');
    if (entry === 'internet') {
      acknowledge(
        door,
        'AwsSolutions-EC23',
        'Flags are served to wherever the applications are; host.allowedCidrs limits it.',
      );
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
