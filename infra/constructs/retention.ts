import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Stage } from '../config/config.ts';

/**
 * What happens to data and logs when their stack or resource is deleted.
 *
 * `prod` keeps them and guards tables against deletion; `dev` deletes them, so that `cdk destroy` leaves nothing behind.
 */
export function retentionOf(stage: Stage): { removalPolicy: RemovalPolicy; deletionProtection: boolean } {
  return stage === 'prod'
    ? { removalPolicy: RemovalPolicy.RETAIN, deletionProtection: true }
    : { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false };
}
