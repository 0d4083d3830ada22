import { ConfigError } from './configError.ts';

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
const SMALL_REGIONS: readonly string[] = [
  'af-south-1',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
];

/** The default quota of an account. @param region undefined if it is not known yet */
export function throttleOf(region: string | undefined): Throttle {
  return region !== undefined && SMALL_REGIONS.includes(region) ? SMALL_THROTTLE : DEFAULT_THROTTLE;
}

/**
 * Regions whose CloudFormation has no `AWS::Budgets::Budget`.
 *
 * Source: CloudFormation's resource types by region, in cfn-lint 1.58.0.
 */
const WITHOUT_BUDGETS: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-northeast-3',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
];

/** @throws ConfigError for a region outside AWS's commercial partition, which has other ARNs and host names */
export function checkRegion(region: string): void {
  if (!/^(cn|us-gov|eusc|[a-z]+-iso[a-z]*)-/.test(region)) return;
  throw new ConfigError(
    `region=${region} cannot be used: regions of China, GovCloud, the European Sovereign Cloud and isolated regions are not supported.`,
  );
}

/** Whether a stack in this region can have a budget. */
export function hasBudgets(region: string): boolean {
  return !WITHOUT_BUDGETS.includes(region);
}

/**
 * Regions without VPC origins of CloudFront.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html#vpc-origins-supported-regions
 */
const WITHOUT_VPC_ORIGINS: readonly string[] = ['ap-southeast-6'];

/** @throws ConfigError naming the key, if one host cannot be behind CloudFront in this region */
export function checkVpcOrigins(key: string, region: string | undefined): void {
  if (region === undefined || !WITHOUT_VPC_ORIGINS.includes(region)) return;
  throw new ConfigError(`${key} cannot be used in ${region}, where CloudFront has no VPC origins. Use Fargate.`);
}
