import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Config } from '../config/config.ts';

/** Whether logs and SDK events are kept when their stack or resource is deleted. Those of a failed first deployment are always deleted. */
export function retentionOf({ retainData }: Pick<Config, 'retainData'>): RemovalPolicy {
  return retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
