import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Config } from '../config/config.ts';

/** What happens to data and logs when their stack or resource is deleted: they are kept, and tables refuse it, or they go. */
export function retentionOf({ retainData }: Pick<Config, 'retainData'>): {
  removalPolicy: RemovalPolicy;
  deletionProtection: boolean;
} {
  return { removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY, deletionProtection: retainData };
}
