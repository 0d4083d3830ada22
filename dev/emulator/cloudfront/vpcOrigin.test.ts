import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { startDistribution } from './distribution.ts';

const PORT = 5100;
const group = { 'Fn::GetAtt': ['Group', 'GroupId'] };
const lookup = { 'Fn::GetAtt': ['Lookup', 'SecurityGroups.0.GroupId'] };
const port = { FromPort: PORT, ToPort: PORT };

/** A distribution in front of an instance, whose group has this rule. The lookup of CloudFront's group has these dependencies. */
const templatesWith = (rule: object, DependsOn: readonly string[] = ['Edge'], isSeparate = false) => ({
  Host: {
    Resources: {
      Group: {
        Type: 'AWS::EC2::SecurityGroup',
        Properties: { SecurityGroupIngress: isSeparate ? [] : [rule] },
      },
      ...(isSeparate && {
        Rule: { Type: 'AWS::EC2::SecurityGroupIngress', Properties: { GroupId: group, ...rule } },
      }),
      Machine: { Type: 'AWS::EC2::Instance', Properties: { SecurityGroupIds: [group] } },
      Origin: {
        Type: 'AWS::CloudFront::VpcOrigin',
        Properties: {
          VpcOriginEndpointConfig: { Arn: { 'Fn::Join': ['', ['arn:', { Ref: 'Machine' }]] }, HTTPPort: PORT },
        },
      },
      Lookup: {
        Type: 'Custom::AWS',
        Properties: { Create: 'group-name: CloudFront-VPCOrigins-Service-SG*' },
        DependsOn,
      },
      Edge: {
        Type: 'AWS::CloudFront::Distribution',
        Properties: {
          DistributionConfig: {
            DefaultCacheBehavior: { AllowedMethods: ['GET'], TargetOriginId: 'host' },
            Origins: [
              {
                Id: 'host',
                ConnectionTimeout: 0.1,
                VpcOriginConfig: { VpcOriginId: { 'Fn::GetAtt': ['Origin', 'Id'] } },
              },
            ],
          },
        },
      },
    },
  },
});

async function statusFrom(templates: ReturnType<typeof templatesWith>): Promise<number> {
  const host = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const addresses = { host: `http://127.0.0.1:${(host.address() as AddressInfo).port}` };
  try {
    const distribution = await startDistribution({ templates, addresses });
    const { status } = await fetch(distribution.httpUrl, { headers: { connection: 'close' } });
    await distribution.close();
    return status;
  } finally {
    host.close();
  }
}

test.each<[string, object, boolean, number]>([
  ['the addresses of the network', { CidrIp: '10.0.0.0/16', ...port }, false, 504],
  ['all addresses', { CidrIp: '0.0.0.0/0', ...port }, true, 504],
  ['another group', { SourceSecurityGroupId: group, ...port }, true, 504],
  ['the prefix list, at another port', { SourcePrefixListId: 'pl-1', FromPort: 80, ToPort: 80 }, false, 504],
  ['the prefix list', { SourcePrefixListId: 'pl-1', ...port }, false, 200],
  ['the group of VPC origins', { SourceSecurityGroupId: lookup, ...port }, true, 200],
])('a machine that admits %s is reached or not, as on AWS', async (_, rule, isSeparate, status) => {
  expect(await statusFrom(templatesWith(rule, ['Edge'], isSeparate))).toBe(status);
});

test('the group of VPC origins does not exist before the first one', async () => {
  const templates = templatesWith({ SourceSecurityGroupId: lookup, ...port }, ['Machine'], true);
  await expect(statusFrom(templates)).rejects.toThrow(
    'Host/Lookup: CREATE_FAILED: CloudFront-VPCOrigins-Service-SG does not exist before a VPC origin',
  );
});
