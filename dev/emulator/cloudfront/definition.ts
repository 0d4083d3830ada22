import type { Templates } from '../template/template.ts';

/** The used part of a distribution, as templates have it. Times are in seconds. */
export interface DistributionConfig {
  readonly CacheBehaviors?: readonly Behavior[];
  readonly DefaultCacheBehavior: Behavior;
  readonly OriginGroups?: { readonly Items: readonly OriginGroup[] };
  readonly Origins: readonly Origin[];
}

interface Behavior {
  readonly PathPattern?: string;
  readonly AllowedMethods: readonly string[];
  readonly TargetOriginId: string;
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
  const [found, ...others] = Object.values(templates)
    .flatMap(({ Resources = {} }) => Object.values(Resources))
    .filter(({ Type }) => Type === 'AWS::CloudFront::Distribution');
  if (!found || others.length > 0) throw new Error('the emulator serves one distribution of CloudFront');
  return found.Properties?.['DistributionConfig'] as DistributionConfig;
}

/** The origins of a path, one or the two of a group, and the statuses of the first one after which the second one is asked. */
export function findOrigins(
  { CacheBehaviors = [], DefaultCacheBehavior, OriginGroups, Origins }: DistributionConfig,
  path: string,
) {
  const matches = ({ PathPattern = '' }: Behavior) => new RegExp(`^${PathPattern.replaceAll('*', '.*')}$`).test(path);
  const { TargetOriginId, AllowedMethods } = CacheBehaviors.find(matches) ?? DefaultCacheBehavior;
  const group = OriginGroups?.Items.find(({ Id }) => Id === TargetOriginId);
  const ids = group?.Members.Items.map(({ OriginId }) => OriginId) ?? [TargetOriginId];
  return {
    methods: AllowedMethods,
    origins: ids.flatMap((id) => Origins.filter(({ Id }) => Id === id)),
    failoverStatuses: group?.FailoverCriteria.StatusCodes.Items ?? [],
  };
}
