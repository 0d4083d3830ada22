import { RemovalPolicy } from 'aws-cdk-lib/core';

/**
 * What happens to data and logs when their stack or resource is deleted.
 *
 * `dev` deletes them, so that `npm run destroy` leaves nothing behind; every other stage keeps them and guards tables against deletion.
 */
export function retentionOf(stage: string): { removalPolicy: RemovalPolicy; deletionProtection: boolean } {
  return stage !== 'dev'
    ? { removalPolicy: RemovalPolicy.RETAIN, deletionProtection: true }
    : { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false };
}
