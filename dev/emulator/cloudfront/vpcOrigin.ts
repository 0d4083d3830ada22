import { pathOf, type Template, type Templates } from '../template/template.ts';

type Resources = NonNullable<Template['Resources']>;

/** A rule that admits traffic to the members of a security group. */
interface IngressRule {
  readonly SourceSecurityGroupId?: unknown;
  readonly SourcePrefixListId?: unknown;
  readonly FromPort?: number;
  readonly ToPort?: number;
}

/** The group of the interfaces of VPC origins, which CloudFront creates with the first one in a network. */
const SERVICE_GROUP = 'CloudFront-VPCOrigins-Service-SG';

/**
 * Whether the instance of a VPC origin admits CloudFront to its port. Its traffic does not have addresses of the network: a rule must name
 * CloudFront's prefix list, or the group of its interfaces.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html
 *
 * @param vpcOriginId as the distribution names it
 * @throws Error with the reason of CREATE_FAILED, if the group is looked up before CloudFront has created it
 */
export function admitsCloudFront(templates: Templates, vpcOriginId: unknown): boolean {
  const [originId = ''] = namedIn(vpcOriginId);
  for (const [stack, { Resources = {} }] of Object.entries(templates)) {
    const origin = Resources[originId]?.Properties?.['VpcOriginEndpointConfig'] as
      | { readonly Arn: unknown; readonly HTTPPort?: number }
      | undefined;
    if (!origin) continue;
    const instance = namedIn(origin.Arn).find((id) => Resources[id]?.Type === 'AWS::EC2::Instance') ?? '';
    const groups = namedIn(Resources[instance]?.Properties?.['SecurityGroupIds']);
    const port = origin.HTTPPort ?? 80;
    const opening = rulesOf(groups, Resources).filter(
      ({ FromPort = 0, ToPort = 65_535 }) => FromPort <= port && port <= ToPort,
    );
    return opening.some(
      ({ SourcePrefixListId, SourceSecurityGroupId }) =>
        SourcePrefixListId !== undefined || isServiceGroup(SourceSecurityGroupId, stack, Resources, originId),
    );
  }
  return false;
}

function rulesOf(groups: readonly string[], resources: Resources): IngressRule[] {
  const inGroups = groups.flatMap((id) => resources[id]?.Properties?.['SecurityGroupIngress'] ?? []);
  const separate = Object.values(resources).filter(
    ({ Type, Properties }) =>
      Type === 'AWS::EC2::SecurityGroupIngress' && namedIn(Properties?.['GroupId']).some((id) => groups.includes(id)),
  );
  return [...inGroups, ...separate.map(({ Properties }) => Properties)] as IngressRule[];
}

/** Whether a rule's source is what a custom resource finds by the name of CloudFront's group. */
function isServiceGroup(source: unknown, stack: string, resources: Resources, originId: string): boolean {
  const logicalId = namedIn(source).find((id) => resources[id]?.Type === 'Custom::AWS');
  if (logicalId === undefined || !JSON.stringify(resources[logicalId]).includes(SERVICE_GROUP)) return false;
  if (needs(logicalId, originId, resources)) return true;
  throw new Error(
    `${pathOf({ stack, logicalId })}: CREATE_FAILED: ${SERVICE_GROUP} does not exist before a VPC origin`,
  );
}

/** Whether a resource is created after another one. */
function needs(id: string, other: string, resources: Resources, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const { Properties, DependsOn = [] } = resources[id] ?? {};
  const before = [...namedIn(Properties), ...[DependsOn].flat()];
  return before.includes(other) || before.some((each) => needs(each, other, resources, seen));
}

/** Logical ids that a value refers to. */
function namedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key === 'Ref') return [String(part)];
    return key === 'Fn::GetAtt' ? [String((part as unknown[])[0])] : namedIn(part);
  });
}
