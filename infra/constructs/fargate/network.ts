import { type IVpc, Peer, Port, SecurityGroup, Subnet, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Fargate, ZONES } from '../../config/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import { HOST_PORT } from '../host/hostEnvironment.ts';
import { addPublicNetwork, firstZones } from '../host/hostNetwork.ts';

const UNLOGGED =
  'A line for each connection would cost more than the tasks do; the balancer counts connections. Flow logs can be added.';

/** See {@link addTaskNetwork}. */
export type TaskNetwork = ReturnType<typeof addTaskNetwork>;

/**
 * Adds the network of load balancer and tasks: an existing one, or a new one with a public subnet in each of two zones. It needs no NAT
 * gateway, because tasks have public addresses. Clients reach the load balancer, and only the load balancer reaches tasks.
 *
 * @returns with the subnets and security groups, and whether tasks need public addresses to reach AWS
 */
export function addTaskNetwork(
  parent: Construct,
  { network, allowedCidrs }: Pick<Fargate, 'network' | 'allowedCidrs'>,
  listenerPort: number,
  given?: IVpc,
) {
  const scope = new Construct(parent, 'Network');
  const vpc =
    given ??
    (network
      ? Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId: network.vpcId, availabilityZones: Fn.getAzs() })
      : addPublicNetwork(scope, firstZones(ZONES), { mapPublicIpOnLaunch: false }, UNLOGGED));
  const subnets = (name: string, ids: readonly string[]) =>
    ids.map((subnetId, index) => Subnet.fromSubnetId(scope, `${name}${index + 1}`, subnetId));
  const balancerSubnets = network ? subnets('Public', network.publicSubnetIds) : vpc.publicSubnets;
  const apart = network?.privateSubnetIds
    ? subnets('Private', network.privateSubnetIds)
    : given?.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS }).subnets;
  const group = (name: string, description: string) =>
    new SecurityGroup(scope, name, { vpc, description, allowAllOutbound: false });
  const balancer = group('Balancer', 'The load balancer: reached by clients');
  const tasks = group('Tasks', 'The tasks: reached by the load balancer only');
  const clients = allowedCidrs ? allowedCidrs.map((range) => Peer.ipv4(range)) : [Peer.anyIpv4()];
  for (const peer of clients) balancer.addIngressRule(peer, Port.tcp(listenerPort), 'clients');
  acknowledge(
    balancer,
    'AwsSolutions-EC23',
    'Flags are served to wherever the applications are; fargate.allowedCidrs limits it.',
  );
  balancer.addEgressRule(tasks, Port.tcp(HOST_PORT), 'connections and health checks');
  tasks.addIngressRule(balancer, Port.tcp(HOST_PORT), 'connections and health checks');
  tasks.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Firehose, CloudWatch, the image');
  const taskSubnets = apart ?? balancerSubnets;
  return { vpc, balancerSubnets, taskSubnets, hasPublicTasks: apart === undefined, balancer, tasks };
}
