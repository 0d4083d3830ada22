import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../../config/settingsSchema.ts';
import { onlyResourceOf, type Properties, resourcesOf, templateWith } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const edge = {
  domainName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};

describe.each<[string, Settings]>([
  ['a front door', { host: true, frontDoor: edge }],
  ['a host behind CloudFront', { host: { network: 'public', tls: edge } }],
])('%s', (_, settings) => {
  const template = templateWith('Host', settings);
  const { id: origin, properties: ofOrigin } = onlyResourceOf(template, 'AWS::CloudFront::VpcOrigin');
  const lookup = onlyResourceOf(template, 'Custom::AWS');

  test('admits CloudFront to the port of the machine', () => {
    const machine = onlyResourceOf(template, 'AWS::EC2::Instance');
    const { Arn, HTTPPort } = ofOrigin['VpcOriginEndpointConfig'] as Properties;
    expect(JSON.stringify(Arn)).toContain(`{"Ref":"${machine.id}"}`);
    const rules = resourcesOf(template, 'AWS::EC2::SecurityGroupIngress').filter(({ id }) =>
      id.startsWith('EdgeAccess'),
    );
    const [GroupId] = machine.properties['SecurityGroupIds'] as unknown[];
    expect(rules.map(({ properties }) => properties)).toEqual([
      expect.objectContaining({ GroupId, FromPort: HTTPPort, ToPort: HTTPPort, IpProtocol: 'tcp' }),
    ]);
  });

  test('is the origin of the distribution', () => {
    const { DistributionConfig } = onlyResourceOf(template, 'AWS::CloudFront::Distribution').properties;
    const origins = (DistributionConfig as { Origins: Properties[] }).Origins;
    const ids = origins.flatMap(
      ({ VpcOriginConfig }) => (VpcOriginConfig as Properties | undefined)?.['VpcOriginId'] ?? [],
    );
    expect(ids).toEqual([{ 'Fn::GetAtt': [origin, 'Id'] }]);
  });

  test('admits nobody else: no address, no prefix list, and no group but that of VPC origins', () => {
    const groups = resourcesOf(template, 'AWS::EC2::SecurityGroup');
    expect(groups.flatMap(({ properties }) => properties['SecurityGroupIngress'] ?? [])).toEqual([]);
    const sources = resourcesOf(template, 'AWS::EC2::SecurityGroupIngress').map(
      ({ properties }) => properties['SourceSecurityGroupId'],
    );
    expect(sources).toEqual(
      expect.arrayContaining([
        { 'Fn::GetAtt': [lookup.id, 'SecurityGroups.0.GroupId'] },
        { 'Fn::GetAtt': [expect.stringMatching(/^NetworkGenerator/), 'GroupId'] },
      ]),
    );
    expect(sources).toHaveLength(2);
  });

  test('finds the group after the distribution, and removes the rule before it', () => {
    const distribution = onlyResourceOf(template, 'AWS::CloudFront::Distribution').id;
    expect(lookup.template.DependsOn).toContain(distribution);
    // A policy that was created just before the lookup may not apply yet.
    const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(({ id }) => id.startsWith('EdgeAccess'));
    expect(policies.flatMap(({ template: { DependsOn = [] } }) => DependsOn)).not.toContain(distribution);
  });

  test('finds the group again for another VPC origin', () => {
    const { Create, Update } = lookup.properties as { Create: object; Update: object };
    expect(JSON.stringify(Update)).toBe(JSON.stringify(Create));
    expect(JSON.stringify(Create)).toContain(`"Fn::GetAtt":["${origin}","Id"]`);
  });

  test('may look up groups, and write its log', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Policy')
      .filter(({ id }) => id.startsWith('EdgeAccess'))
      .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Properties[] }).Statement);
    expect(statements.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      'ec2:DescribeSecurityGroups',
    ]);
    expect(JSON.stringify(template)).not.toContain('AWSLambdaBasicExecutionRole');
  });
});
