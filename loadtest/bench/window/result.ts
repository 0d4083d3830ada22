import type { Stamp } from '../../measure/stamp.ts';

/** For how long SDKs of one kind are ready with part of an environment: the median of several answers. */
export interface Window {
  readonly flags: number;
  readonly sdk: string;
  readonly messages: number;
  readonly bytes: number;
  /** From the first message, with which an SDK is ready, to the last, in milliseconds; 0 where there is but one. */
  readonly windowMs: number;
}

/** What `npm run bench:window` keeps. */
export interface Windows {
  readonly stamp: Stamp;
  /** How long a post to `@connections` takes, in milliseconds. */
  readonly latencyMs: number;
  /** After so many milliseconds the function that answers ends; the benchmark goes on. */
  readonly functionMs: number;
  readonly rounds: number;
  readonly windows: readonly Window[];
}
