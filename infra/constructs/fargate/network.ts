import { type ISubnet, type IVpc, Peer, Port, SecurityGroup, Subnet, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import { ZONES } from '../../config/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import { addPublicNetwork, firstZones } from '../host/hostNetwork.ts';

const UNLOGGED =
  'A line for each connection would cost more than the tasks do; the balancer counts connections. Flow logs can be added.';

/** The ports of a load balancer and of the tasks behind it. */
interface Ports {
  readonly balancer: number;
  readonly task: number;
}

/**
 * The network of load balancer and tasks: an existing one, or a new one with a public subnet in each of two zones. It needs no NAT gateway,
 * because tasks have public addresses. Clients reach the load balancer, and only the load balancer reaches tasks.
 */
export class TaskNetwork extends Construct {
  readonly vpc: IVpc;
  readonly balancerSubnets: ISubnet[];
  readonly taskSubnets: ISubnet[];
  /** Whether tasks need public addresses to reach AWS. */
  readonly hasPublicTasks: boolean;
  readonly balancer: SecurityGroup;
  readonly tasks: SecurityGroup;

  constructor(
    scope: Construct,
    id: string,
    { network, allowedCidrs }: Pick<Fargate, 'network' | 'allowedCidrs'>,
    ports: Ports,
    vpc?: IVpc,
  ) {
    super(scope, id);
    this.vpc =
      vpc ??
      (network
        ? Vpc.fromVpcAttributes(this, 'Vpc', { vpcId: network.vpcId, availabilityZones: Fn.getAzs() })
        : addPublicNetwork(this, firstZones(ZONES), { mapPublicIpOnLaunch: false }, UNLOGGED));
    this.balancerSubnets = network ? this.#given('Public', network.publicSubnetIds) : this.vpc.publicSubnets;
    const apart = network?.privateSubnetIds
      ? this.#given('Private', network.privateSubnetIds)
      : vpc?.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS }).subnets;
    this.taskSubnets = apart ?? this.balancerSubnets;
    this.hasPublicTasks = apart === undefined;
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllOutbound: false });
    this.balancer = group('Balancer', 'The load balancer: reached by clients');
    this.tasks = group('Tasks', 'The tasks: reached by the load balancer only');
    const clients = allowedCidrs ? allowedCidrs.map((range) => Peer.ipv4(range)) : [Peer.anyIpv4()];
    for (const peer of clients) this.balancer.addIngressRule(peer, Port.tcp(ports.balancer), 'clients');
    acknowledge(
      this.balancer,
      'AwsSolutions-EC23',
      'Flags are served to wherever the applications are; fargate.allowedCidrs limits it.',
    );
    this.balancer.addEgressRule(this.tasks, Port.tcp(ports.task), 'connections and health checks');
    this.tasks.addIngressRule(this.balancer, Port.tcp(ports.task), 'connections and health checks');
    this.tasks.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Firehose, CloudWatch, the image');
  }

  #given(name: string, ids: readonly string[]): ISubnet[] {
    return ids.map((subnetId, index) => Subnet.fromSubnetId(this, `${name}${index + 1}`, subnetId));
  }
}
