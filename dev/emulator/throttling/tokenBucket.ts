import type { Clock } from '../clock.ts';

/** A rate, and how much of it may come at once: a bucket that holds `burst` tokens and gets `perSecond` new ones. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Makes a full bucket. @returns a function that takes a token, and says false when there is none. */
export function createTokenBucket({ perSecond, burst }: RateLimit, clock: Clock): () => boolean {
  let tokens = burst;
  let filledAt = clock.now();
  return () => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + (Math.max(0, now - filledAt) * perSecond) / 1000);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
