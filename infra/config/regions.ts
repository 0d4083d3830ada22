import { ConfigError } from './configError.ts';
import regions from './regions.json' with { type: 'json' };

/** The throttle of an API: requests a second, and burst. */
interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/**
 * The default quota of API Gateway for all APIs of an account in a region. The limit of a stage cannot exceed the quota.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const DEFAULT_THROTTLE: Throttle = { rate: 10_000, burst: 5_000 };
const SMALL_THROTTLE: Throttle = { rate: 2_500, burst: 1_250 };

/** The default quota of an account. @param region undefined if it is not known yet */
export function throttleOf(region: string | undefined): Throttle {
  return region !== undefined && regions.smallThrottle.includes(region) ? SMALL_THROTTLE : DEFAULT_THROTTLE;
}

/** @throws ConfigError for a region outside AWS's commercial partition, which has other ARNs and host names */
export function checkRegion(region: string): void {
  if (!/^(cn|us-gov|eusc|[a-z]+-iso[a-z]*)-/.test(region)) return;
  throw new ConfigError(
    `region=${region} cannot be used: regions of China, GovCloud, the European Sovereign Cloud and isolated regions are not supported.`,
  );
}

/**
 * Whether CloudFormation in this region has `AWS::Budgets::Budget`.
 *
 * Source: CloudFormation's resource types by region, in cfn-lint 1.58.0.
 */
export function hasBudgets(region: string): boolean {
  return !regions.withoutBudgets.includes(region);
}

/**
 * Checks whether one host can be behind CloudFront in this region, by a VPC origin.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html#vpc-origins-supported-regions
 *
 * @throws ConfigError naming the key
 */
export function checkVpcOrigins(key: string, region: string | undefined): void {
  if (region === undefined || !regions.withoutVpcOrigins.includes(region)) return;
  throw new ConfigError(`${key} cannot be used in ${region}, where CloudFront has no VPC origins. Use Fargate.`);
}
