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

/** Whether a share takes everybody or nobody, so that no bucket is needed to tell. */
export function includesAllOrNone(share: Share): boolean {
  return takesAll(share) || takesNone(share);
}

/** Whether a share takes a bucket. `[0,1]`, give or take a rounding error, takes every one and `[0,0]` none. */
export function includesBucket(share: Share, bucket: number): boolean {
  if (takesAll(share)) return true;
  return !takesNone(share) && share[0] <= bucket && bucket <= share[1];
}

function takesAll([lower, upper]: Share): boolean {
  return lower === 0 && 1 - upper < ROLLOUT_TOLERANCE;
}

function takesNone([lower, upper]: Share): boolean {
  return lower === 0 && upper === 0;
}
