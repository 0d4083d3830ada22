import { OriginProtocolPolicy, VpcOrigin, VpcOriginEndpoint } from 'aws-cdk-lib/aws-cloudfront';
import type { Instance } from 'aws-cdk-lib/aws-ec2';
import { type CfnResource, type IResolveContext, Lazy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { HOST_PORT } from './hostEnvironment.ts';

/** CloudFront's limit for the names of VPC origins and key-value stores. */
const MOST_NAME_LENGTH = 64;
/** Number of last digits of an instance's logical id that differ between its versions: CDK's hash of its user data. */
const HASH_LENGTH = 16;

/** Length of the longest name of a region. */
const REGION_LENGTH = 14;

/** A name for CloudFront that ends with the region, because names are those of the account. Of a long name, the end is kept. */
export function nameIn(region: string, name: string): string {
  return `${name.slice(REGION_LENGTH + 1 - MOST_NAME_LENGTH)}-${region}`;
}

/**
 * Adds a VPC origin: an interface in the network of a machine, by which CloudFront reaches it. No port is open to the internet. VPC origins
 * support WebSockets since May 2026. Their names are unique in an account, for all regions (aws/aws-cdk#34799).
 *
 * Another instance gets another VPC origin, and tags are left out, because one that a distribution uses cannot be changed
 * (`CannotUpdateEntityWhileInUse`, hashicorp/terraform-provider-aws#40905, aws/aws-cdk#35765).
 */
export function addHostOrigin(scope: Construct, instance: Instance): VpcOrigin {
  const { stackName, region } = Stack.of(scope);
  const versionOf = (context: IResolveContext) =>
    String(context.resolve(instance.instance.logicalId)).slice(-HASH_LENGTH);
  const origin = new VpcOrigin(scope, 'Origin', {
    endpoint: VpcOriginEndpoint.ec2Instance(instance),
    httpPort: HOST_PORT,
    protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    vpcOriginName: Lazy.uncachedString({ produce: (context) => nameIn(region, `${stackName}-${versionOf(context)}`) }),
  });
  const resource = origin.node.defaultChild as CfnResource;
  resource.overrideLogicalId(Lazy.uncachedString({ produce: (context) => `HostOrigin${versionOf(context)}` }));
  resource.addPropertyDeletionOverride('Tags');
  return origin;
}
