import { ROLLOUT_TOLERANCE } from '../flags/rule.ts';
import { md5Int32 } from './md5.ts';

/**
 * A key's bucket on the rollout scale, in [0,1], including 1.0. It takes the first four bytes of the MD5 of the key's
 * UTF-8 form as a little-endian signed integer. The bucket is its absolute value divided by 2^31 (FeatBit
 * `DispatchAlgorithm`).
 */
export function bucketOf(key: string): number {
  return Math.abs(md5Int32(key) / -2147483648);
}

/** A share of the rollout scale, both bounds included. */
export type Share = readonly [lower: number, upper: number];

/** Whether a share includes all buckets or none, so that the bucket is not needed. */
export function includesAllOrNone(share: Share): boolean {
  return includesAll(share) || includesNone(share);
}

/** Whether a share includes a bucket. Within the tolerance, `[0,1]` includes every bucket, and `[0,0]` none. */
export function includesBucket(share: Share, bucket: number): boolean {
  if (includesAll(share)) return true;
  return !includesNone(share) && share[0] <= bucket && bucket <= share[1];
}

function includesAll([lower, upper]: Share): boolean {
  return lower === 0 && 1 - upper < ROLLOUT_TOLERANCE;
}

function includesNone([lower, upper]: Share): boolean {
  return lower === 0 && upper === 0;
}
