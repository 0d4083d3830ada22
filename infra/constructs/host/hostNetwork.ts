import {
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type ISubnet,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** Source of connections to the port of a host: `cloudfront` (network interfaces in the network), or `internet` without TLS. */
export type Entry = 'network' | 'internet' | 'cloudfront';

/** What the network is for. */
interface HostNetworkProps {
  /** The zones that machines are in. */
  readonly zones: readonly string[];
  /** The port of hosts. */
  readonly port: number;
  /** Who comes to one host, or to the port of the balancer in front of several. */
  readonly entry: Entry;
  readonly balancerPort?: number;
  /** The only ranges of addresses that clients come from; they also open a port that `network` would leave closed. */
  readonly allowedCidrs?: readonly string[];
  /** The network, in place of one of their own. Its public subnets are used. */
  readonly vpc?: IVpc;
}

/**
 * A network of its own for hosts: a public subnet in each zone, as the machines fetch and report over the internet, and no NAT
 * gateway, which would cost more than a host. The load generator always reaches the host or its balancer.
 */
export class HostNetwork extends Construct {
  readonly vpc: IVpc;
  readonly host: SecurityGroup;
  readonly generator: SecurityGroup;
  readonly #balancer: SecurityGroup | undefined;

  constructor(scope: Construct, id: string, props: HostNetworkProps) {
    super(scope, id);
    const { zones, port, entry, balancerPort } = props;
    this.vpc = props.vpc ?? this.#make(zones);
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
    // Hosts on Fargate are in another network, behind a public balancer.
    this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(80), 'the load on other hosts');
    // It reaches a public name by public addresses.
    if (entry === 'internet') this.generator.addEgressRule(Peer.anyIpv4(), Port.tcp(doorPort), 'the load');
    this.#open(door, doorPort, entry, props);
    for (const each of [this.host, this.generator]) {
      each.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Session Manager, CloudWatch, packages');
    }
  }

  /** Where machines and balancer are. */
  get subnets(): ISubnet[] {
    return this.vpc.publicSubnets;
  }

  /** The network as a balancer takes it. @throws Error where no port was given for one */
  get atBalancer(): { vpc: IVpc; balancerSubnets: ISubnet[]; balancer: SecurityGroup } {
    if (!this.#balancer) throw new Error('This network has no balancer.');
    return { vpc: this.vpc, balancerSubnets: this.subnets, balancer: this.#balancer };
  }

  #make(zones: readonly string[]): IVpc {
    const vpc = new Vpc(this, 'Vpc', {
      // Named here, and not looked up, so that synthesis needs no account.
      availabilityZones: [...zones],
      ipAddresses: IpAddresses.cidr(Vpc.DEFAULT_CIDR_RANGE),
      natGateways: 0,
      // A size of its own: the first subnet stays the same with one zone and with two.
      subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: true, cidrMask: 20 }],
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    acknowledge(
      vpc,
      'AwsSolutions-VPC7',
      'The network has hosts and a load generator only; a line for each connection would cost more than they do.',
    );
    // CDK declares the two apart under exactOptionalPropertyTypes.
    return vpc as IVpc;
  }

  #open(door: SecurityGroup, port: number, entry: Entry, { allowedCidrs, vpc }: HostNetworkProps): void {
    const clients = allowedCidrs?.map((range) => Peer.ipv4(range)) ?? (entry === 'internet' ? [Peer.anyIpv4()] : []);
    for (const peer of clients) door.addIngressRule(peer, Port.tcp(port), 'clients');
    if (entry === 'internet') {
      acknowledge(
        door,
        'AwsSolutions-EC23',
        'Flags are served to wherever the applications are; host.allowedCidrs limits it.',
      );
    }
    // The interfaces of a VPC origin are in the subnet of the machine. Nothing else is in a network of their own but the load generator.
    if (entry === 'cloudfront') {
      const range = vpc?.vpcCidrBlock ?? Vpc.DEFAULT_CIDR_RANGE;
      door.addIngressRule(Peer.ipv4(range), Port.tcp(port), "CloudFront's interfaces");
    }
  }
}

/** The first zones of the region, looked up by CloudFormation. */
export function firstZones(zones: number): string[] {
  return Array.from({ length: zones }, (_, index) => Fn.select(index, Fn.getAzs()));
}
