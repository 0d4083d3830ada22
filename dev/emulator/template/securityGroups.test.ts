import { describe, expect, test } from '@jest/globals';
import { checkSecurityGroups } from './securityGroups.ts';

const withResource = (type: string, properties: object) => ({
  Stack: { Resources: { Group: { Type: `AWS::EC2::${type}`, Properties: { ...properties } } } },
});
const rule =
  'Stack/Group: CREATE_FAILED: Invalid rule description. Valid descriptions are strings less than 256 characters from the following set: a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*';

describe('security groups of templates', () => {
  test.each([
    ['SecurityGroup', { SecurityGroupIngress: [{ Description: "CloudFront's interfaces" }] }],
    ['SecurityGroup', { SecurityGroupEgress: [{ Description: 'fine' }, { Description: 'naïve' }] }],
    ['SecurityGroupIngress', { Description: 'a < b' }],
    ['SecurityGroupEgress', { Description: 'a'.repeat(256) }],
  ])('are refused like by EC2 if the description of a rule is: %s %j', (type, properties) => {
    expect(() => checkSecurityGroups(withResource(type, properties))).toThrow(rule);
  });

  test('are refused for their own description', () => {
    const group = withResource('SecurityGroup', { GroupDescription: 'The hosts’ network' });
    expect(() => checkSecurityGroups(group)).toThrow(rule.replace('rule description', 'security group description'));
  });

  test('may use the characters of EC2, and values of other resources', () => {
    const text = 'azAZ09. _-:/()#,@[]+=&;{}!$*';
    const rules = [{ Description: text }, { Description: { Ref: 'Other' } }, {}];
    const group = { GroupDescription: text, SecurityGroupIngress: rules, SecurityGroupEgress: rules };
    expect(() => checkSecurityGroups(withResource('SecurityGroup', group))).not.toThrow();
    expect(() => checkSecurityGroups(withResource('VPC', { Description: "CloudFront's" }))).not.toThrow();
  });
});
