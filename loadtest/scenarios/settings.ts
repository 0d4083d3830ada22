import type { Flag } from '../../shared/flags/flag.ts';
import type { Segment } from '../../shared/flags/segment.ts';

/** The settings of the processor, which its bundle contains. */
export interface Settings {
  /** Bases of streaming addresses, taken in turn: `ws://127.0.0.1:5100`. */
  readonly urls: readonly string[];
  readonly clientKey: string;
  /** The flags and segments that determine the replies. If missing, flags are not checked. */
  readonly environment?: {
    readonly envId: string;
    readonly flags: readonly Flag[];
    readonly segments: readonly Segment[];
  };
}
