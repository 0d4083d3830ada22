import { readConfig } from '../../config/config.ts';
import type { Settings } from '../../config/settingsSchema.ts';
import type { Template } from '../../inProcess.ts';
import { synthesizedTemplates } from '../../testing/synthesizedTemplates.ts';

/** The deployments whose templates are kept, by what they are called in the list. */
const DEPLOYMENTS: Readonly<Record<string, Settings>> = {
  dev: { stage: 'dev' },
  prod: { stage: 'prod' },
  'prod with a host': { stage: 'prod', host: { loadGenerator: true } },
  'prod with Fargate': { stage: 'prod', fargate: { allowInsecure: true } },
};

/**
 * What holds data, or has a name or URL that somebody outside knows, and the properties by which CloudFormation makes
 * another one ("Update requires: Replacement" in the AWS resource reference).
 */
const KEPT_TYPES: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'AttributeDefinitions'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::KinesisFirehose::DeliveryStream': ['DeliveryStreamName', 'DeliveryStreamType'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::ApiGatewayV2::Stage': ['StageName', 'ApiId'],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['Name', 'Type', 'Scheme'],
};

/** A resource that must stay: its type, and the properties that it cannot change. */
interface KeptResource {
  readonly type: string;
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** What must stay of a stack: resources by logical id, and the names of its exports. */
interface KeptStack {
  readonly resources: Readonly<Record<string, KeptResource>>;
  readonly exports: readonly string[];
}

/** Stacks by name, by deployment. */
export type Release = Readonly<Record<string, Readonly<Record<string, KeptStack>>>>;

/** The release that today's sources would make. */
export function currentRelease(): Release {
  return mapValues(DEPLOYMENTS, (settings) => mapValues(synthesizedTemplates(readConfig(settings)), keptOf));
}

/** What must stay of a stack. */
export function keptOf({ Resources, Outputs = {} }: Template): KeptStack {
  const resources = Object.entries(Resources).flatMap(([id, { Type: type, Properties = {} }]) => {
    const names = KEPT_TYPES[type];
    if (!names) return [];
    const fixed = Object.fromEntries(
      names.filter((name) => name in Properties).map((name) => [name, fixedPart(name, Properties)]),
    );
    return [[id, Object.keys(fixed).length > 0 ? { type, fixed } : { type }] as const];
  });
  const exports = Object.values(Outputs).flatMap(({ Export }) => Export?.Name ?? []);
  return { resources: Object.fromEntries(resources), exports };
}

/** Of the attributes that a table defines, those of its own key: others belong to indexes, which come and go without it. */
function fixedPart(name: string, properties: Readonly<Record<string, unknown>>): unknown {
  if (name !== 'AttributeDefinitions') return properties[name];
  type Named = { readonly AttributeName: string };
  const { AttributeDefinitions, KeySchema } = properties as Readonly<Record<string, readonly Named[]>>;
  return KeySchema?.map((key) => AttributeDefinitions?.find((each) => each.AttributeName === key.AttributeName));
}

/**
 * What would be lost by deploying one release over another.
 *
 * @returns a sentence each: the deployment, what is missing or changed, and what `cdk deploy` would do; empty when all
 * of the release before is still there, whatever else there is now
 */
export function lostSince(before: Release, now: Release): string[] {
  return Object.entries(before).flatMap(([deployment, stacks]) =>
    Object.entries(stacks).flatMap(([name, stack]) => {
      const current = now[deployment]?.[name];
      const lost = current
        ? lostOfStack(stack, current)
        : ['is missing: `cdk deploy` would leave the old stack running, and nobody would update it'];
      return lost.map((each) => `${deployment}: ${name} ${each}.`);
    }),
  );
}

function lostOfStack(before: KeptStack, now: KeptStack): string[] {
  const resources = Object.entries(before.resources).flatMap(([id, { type, fixed = {} }]) => {
    const current = now.resources[id];
    if (!current) {
      return `has no ${type} ${id}: \`cdk deploy\` would remove it from the stack, with its data, name and URL, and make any successor empty`;
    }
    if (current.type !== type) {
      return `has ${id} as ${current.type} instead of ${type}: CloudFormation would refuse the update, and \`cdk deploy\` would fail`;
    }
    return changedNames(fixed, current.fixed ?? {}).map(
      (name) =>
        `has another ${name} in ${type} ${id}: \`cdk deploy\` would replace it by an empty one with another name or URL`,
    );
  });
  const exports = before.exports
    .filter((name) => !now.exports.includes(name))
    .map((name) => `has no export ${name}: \`cdk deploy\` would fail while a running stack imports it`);
  return [...resources, ...exports];
}

function changedNames(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
