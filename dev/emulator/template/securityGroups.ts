import { pathOf, type Templates } from './template.ts';

/**
 * EC2's rule for descriptions of security groups and of their rules in a VPC.
 *
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateSecurityGroup.html
 */
const DESCRIPTION = /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{0,255}$/;
const WANTED =
  'Valid descriptions are strings less than 256 characters from the following set: a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*';

/** @throws Error with the reason of CREATE_FAILED, if EC2 would refuse a security group of the templates */
export function checkSecurityGroups(templates: Templates): void {
  for (const [stack, { Resources = {} }] of Object.entries(templates)) {
    for (const [logicalId, { Type, Properties = {} }] of Object.entries(Resources)) {
      if (!/^AWS::EC2::SecurityGroup(Ingress|Egress)?$/.test(Type)) continue;
      const { GroupDescription, SecurityGroupIngress = [], SecurityGroupEgress = [] } = Properties;
      const rules = [Properties, SecurityGroupIngress, SecurityGroupEgress].flat() as { Description?: unknown }[];
      const refused = isRefused(GroupDescription)
        ? 'security group'
        : rules.some(({ Description }) => isRefused(Description)) && 'rule';
      if (refused)
        throw new Error(`${pathOf({ stack, logicalId })}: CREATE_FAILED: Invalid ${refused} description. ${WANTED}`);
    }
  }
}

function isRefused(description: unknown): boolean {
  return typeof description === 'string' && !DESCRIPTION.test(description);
}
