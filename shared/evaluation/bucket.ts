import { hash } from 'node:crypto';
import { ROLLOUT_TOLERANCE } from '../flags/rule.ts';

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

/**
 * The first four bytes of the MD5 of a text's UTF-8 form, as a little-endian signed integer. Rollouts use no more.
 *
 * The digest is a binary (Latin-1) string, because that is several times faster than a Buffer.
 */
export function md5Int32(text: string): number {
  const digest = hash('md5', text, 'binary');
  return (
    digest.charCodeAt(0) | (digest.charCodeAt(1) << 8) | (digest.charCodeAt(2) << 16) | (digest.charCodeAt(3) << 24)
  );
}
