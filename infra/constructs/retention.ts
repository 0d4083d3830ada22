import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Config } from '../config/config.ts';

/**
 * What happens to logs and SDK events when their stack or resource is deleted: they are kept, or they go. Those of a first deployment that
 * fails go in any case.
 */
export function retentionOf({ retainData }: Pick<Config, 'retainData'>): RemovalPolicy {
  return retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
