import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';

/** Whether logs and SDK events are kept when their stack or resource is deleted. Those of a failed first deployment are always deleted. */
export function retentionOf({ retainData }: Pick<Config, 'retainData'>): RemovalPolicy {
  return retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** Adds the log group `Logs` of functions, tasks or machines. CloudFormation generates its name. */
export function addLogGroup(scope: Construct, config: Pick<Config, 'logRetentionDays' | 'retainData'>): LogGroup {
  return new LogGroup(scope, 'Logs', { retention: config.logRetentionDays, removalPolicy: retentionOf(config) });
}
