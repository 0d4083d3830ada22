import type { Templates } from '../template/template.ts';

/** The used part of a distribution, as templates have it. Times are in seconds. */
export interface DistributionConfig {
  readonly CacheBehaviors?: readonly Behavior[];
  readonly DefaultCacheBehavior: Behavior;
  readonly OriginGroups?: { readonly Items: readonly OriginGroup[] };
  readonly Origins: readonly Origin[];
  /** The code of the app's functions, by logical id. */
  readonly functions?: Readonly<Record<string, string>>;
}

interface Behavior {
  readonly PathPattern?: string;
  readonly AllowedMethods: readonly string[];
  readonly TargetOriginId: string;
  readonly FunctionAssociations?: readonly {
    readonly FunctionARN: { readonly 'Fn::GetAtt': readonly [id: string, string] };
  }[];
}

interface OriginGroup {
  readonly Id: string;
  readonly FailoverCriteria: { readonly StatusCodes: { readonly Items: readonly number[] } };
  readonly Members: { readonly Items: readonly { readonly OriginId: string }[] };
}

/** An origin. Its domain name is not read: a local address takes its place. */
export interface Origin {
  readonly Id: string;
  readonly ConnectionTimeout?: number;
  readonly VpcOriginConfig?: { readonly OriginReadTimeout?: number };
  readonly OriginCustomHeaders?: readonly { readonly HeaderName: string; readonly HeaderValue: string }[];
}

/** Reads the app's distribution. @throws Error if there is not exactly one */
export function readDistribution(templates: Templates): DistributionConfig {
  const resources = Object.values(templates).flatMap(({ Resources = {} }) => Object.entries(Resources));
  const ofType = (type: string) => resources.filter(([, { Type }]) => Type === `AWS::CloudFront::${type}`);
  const [found, ...others] = ofType('Distribution');
  if (!found || others.length > 0) throw new Error('the emulator serves one distribution of CloudFront');
  const codes = ofType('Function').map(([id, { Properties }]) => [id, String(Properties?.['FunctionCode'])]);
  const config = found[1].Properties?.['DistributionConfig'] as DistributionConfig;
  return { ...config, functions: Object.fromEntries(codes) };
}

/**
 * The origins of a path, one or the two of a group, the statuses of the first one after which the second one is asked, and the code of its
 * function.
 */
export function findOrigins(
  { CacheBehaviors = [], DefaultCacheBehavior, OriginGroups, Origins, functions = {} }: DistributionConfig,
  path: string,
) {
  const matches = ({ PathPattern = '' }: Behavior) => new RegExp(`^${PathPattern.replaceAll('*', '.*')}$`).test(path);
  const behavior = CacheBehaviors.find(matches) ?? DefaultCacheBehavior;
  const { TargetOriginId, AllowedMethods, FunctionAssociations: [association] = [] } = behavior;
  const group = OriginGroups?.Items.find(({ Id }) => Id === TargetOriginId);
  const ids = group?.Members.Items.map(({ OriginId }) => OriginId) ?? [TargetOriginId];
  return {
    methods: AllowedMethods,
    origins: ids.flatMap((id) => Origins.filter(({ Id }) => Id === id)),
    code: association && functions[association.FunctionARN['Fn::GetAtt'][0]],
    failoverStatuses: group?.FailoverCriteria.StatusCodes.Items ?? [],
  };
}
