import { ROLLOUT_TOLERANCE } from '../flags/rule.ts';
import { md5Int32 } from './md5.ts';

/**
 * The place of a key on the rollout scale, in [0,1], 1.0 included: the first four bytes of the MD5 of its UTF-8 form as
 * a little-endian signed integer, divided by -2^31, without its sign (FeatBit `DispatchAlgorithm`).
 */
export function bucketOf(key: string): number {
  return Math.abs(md5Int32(key) / -2147483648);
}

/** A share of the rollout scale, both bounds included. */
export type Share = readonly [lower: number, upper: number];

/** Whether a share includes all buckets or none, so that the user's bucket need not be computed. */
export function includesAllOrNone(share: Share): boolean {
  return includesAll(share) || includesNone(share);
}

/** Whether a share includes a bucket. `[0,1]`, within the tolerance, includes every bucket and `[0,0]` none. */
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
