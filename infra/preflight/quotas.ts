/** An AWS quota, by its codes in Service Quotas. */
export interface Quota {
  readonly service: string;
  readonly code: string;
  readonly what: string;
}

/** The quotas that are read. API Gateway's apply to all APIs of the account in a region together. */
export const QUOTAS = {
  throttleRate: { service: 'apigateway', code: 'L-8A5B8E43', what: "API Gateway's requests a second" },
  throttleBurst: { service: 'apigateway', code: 'L-CDF5615A', what: "API Gateway's requests at once" },
  concurrency: { service: 'lambda', code: 'L-B99A9384', what: "Lambda's concurrent executions" },
  fargateVcpus: { service: 'fargate', code: 'L-3032A538', what: "Fargate's vCPUs on demand" },
} as const satisfies Readonly<Record<string, Quota>>;

/** The account's limits in a region; unreadable ones are left out. */
export interface AccountLimits {
  readonly region: string;
  /** Concurrent executions of all functions. */
  readonly concurrency?: number;
  readonly throttleRate?: number;
  readonly throttleBurst?: number;
  /** vCPUs of all tasks on demand in the region together. */
  readonly fargateVcpus?: number;
}

/** The AWS CLI command that requests a higher quota. */
export function requestFor({ service, code }: Quota, value: number, region: string): string {
  return `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value} --region ${region}`;
}
