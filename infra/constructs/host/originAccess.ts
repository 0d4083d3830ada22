import type { Distribution, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront';
import { CfnSecurityGroupIngress } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledgeAll } from '../acknowledge.ts';
import { addLogGroup } from '../retention.ts';
import { HOST_PORT } from './hostEnvironment.ts';
import type { HostNetwork } from './hostNetwork.ts';

/** Group of the interfaces that CloudFront creates in a network for its VPC origins. Only AWS can create groups with this prefix. */
const SERVICE_GROUP = 'CloudFront-VPCOrigins-Service-SG*';
const GROUP_ID = 'SecurityGroups.0.GroupId';

/**
 * Admits the VPC origins of the network to the port of the host: CloudFront of this account, and nobody else.
 *
 * Their traffic does not have the addresses of the network. It is admitted by the security group of their interfaces, or by CloudFront's
 * prefix list, which would also admit the distributions of others to a machine with a public address. CloudFront creates the group with
 * the first VPC origin of the network, so it is looked up afterwards, and again for each new origin. When the stack or the distribution is
 * deleted, the rule goes first: CloudFront cannot delete a group that a rule names.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html
 */
export function admitOrigin(
  parent: Construct,
  config: Config,
  network: HostNetwork,
  origin: VpcOrigin,
  distribution: Distribution,
): void {
  const scope = new Construct(parent, 'EdgeAccess');
  const logGroup = addLogGroup(scope, config);
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  const lookup = new AwsCustomResource(scope, 'ServiceGroup', {
    onUpdate: {
      service: 'EC2',
      action: 'describeSecurityGroups',
      parameters: {
        Filters: [
          { Name: 'vpc-id', Values: [network.vpc.vpcId] },
          { Name: 'group-name', Values: [SERVICE_GROUP] },
        ],
      },
      outputPaths: [GROUP_ID],
      physicalResourceId: PhysicalResourceId.of(origin.vpcOriginId),
    },
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['ec2:DescribeSecurityGroups'], resources: ['*'] }),
    ]),
    installLatestAwsSdk: false,
    role,
    logGroup,
  });
  // The interfaces, and with them the group, exist at the latest when the distribution is deployed. The policy of the lookup does not wait:
  // IAM needs some seconds before a new policy applies.
  lookup.node.findChild('Resource').node.addDependency(distribution);
  new CfnSecurityGroupIngress(scope, 'Rule', {
    groupId: network.host.securityGroupId,
    sourceSecurityGroupId: lookup.getResponseField(GROUP_ID),
    ipProtocol: 'tcp',
    fromPort: HOST_PORT,
    toPort: HOST_PORT,
    description: 'VPC origins of CloudFront',
  });
  acknowledgeAll(scope, 'ec2:DescribeSecurityGroups has no narrower resource.');
}
