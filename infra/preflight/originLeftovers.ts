import type { Config } from '../config/config.ts';
import { deploymentTags } from '../config/tags.ts';
import { sendSigned } from './signedRequest.ts';

/**
 * What CloudFront still has in the networks of a deployment: the security group and the interfaces of its VPC origins. It deletes them
 * itself after the VPC origin, possibly hours later. Until then, EC2 refuses to delete the network (`DependencyViolation`).
 *
 * @returns a line for each network. Needs `ec2:DescribeVpcs`, `ec2:DescribeSecurityGroups` and `ec2:DescribeNetworkInterfaces`
 */
export async function originLeftovers(region: string, config: Pick<Config, 'name' | 'stage'>): Promise<string[]> {
  const describe = (what: string, filters: Readonly<Record<string, string>>) => {
    const parameters = Object.entries(filters).map(
      ([name, value], index) =>
        `&Filter.${index + 1}.Name=${encodeURIComponent(name)}&Filter.${index + 1}.Value.1=${encodeURIComponent(value)}`,
    );
    return sendSigned({
      service: 'ec2',
      region,
      body: `Action=Describe${what}${parameters.join('')}&Version=2016-11-15`,
    });
  };
  const { app, stage } = deploymentTags(config);
  const networks = idsIn(await describe('Vpcs', { 'tag:app': app, 'tag:stage': stage }), 'vpcId');
  const lines = networks.map(async (vpc) => {
    const [groups, interfaces] = await Promise.all([
      describe('SecurityGroups', { 'vpc-id': vpc, 'group-name': 'CloudFront-VPCOrigins-Service-SG*' }),
      describe('NetworkInterfaces', { 'vpc-id': vpc, 'interface-type': 'cloudfront_managed' }),
    ]);
    const left = [...idsIn(groups, 'groupId'), ...idsIn(interfaces, 'networkInterfaceId')];
    return left.length === 0 ? [] : [`CloudFront still has ${left.join(' and ')} in the network ${vpc}.`];
  });
  return (await Promise.all(lines)).flat();
}

function idsIn(xml: string, tag: string): string[] {
  const ids = [...xml.matchAll(new RegExp(`<${tag}>([^<]+)<`, 'g'))].flatMap(([, id]) => id ?? []);
  // Other things name groups and networks too.
  return [...new Set(ids)];
}
