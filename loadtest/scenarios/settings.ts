import type { Flag } from '../../shared/flags/flag.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import type { Script } from './script.ts';

/** What a connection does once it has its flags, and for how long. Times are in milliseconds. */
export interface Life {
  /** From the answer on; the run's end comes first where it is earlier. */
  readonly liveMs?: number;
  /** After the processor's first connection: when everybody leaves. */
  readonly endMs: number;
  /** SDKs ping this often; 0 never. */
  readonly pingMs: number;
  readonly heartbeat?: Heartbeat;
  /** SDKs by the name of artillery's scenario. Without them every connection is a client's, which does not come back. */
  readonly sdks?: Script['sdks'];
}

/** Messages one after another at their times, whatever becomes of the answers. */
interface Heartbeat {
  readonly kind: 'ping' | 'echo';
  readonly everyMs: number;
  /** How many each connection sends: a number between these, drawn for each. */
  readonly atLeast: number;
  readonly atMost: number;
}

/** The settings of the processor, which its bundle contains. */
export interface Settings {
  /** Bases of streaming addresses, taken in turn: `ws://127.0.0.1:5100`. */
  readonly urls: readonly string[];
  readonly clientKey: string;
  /** For SDKs on servers: their key, and how many flags and segments they must get. */
  readonly server?: { readonly key: string; readonly documents: number };
  /** Number of different users. Without it, each connection has its own user. */
  readonly users?: number;
  readonly life: Life;
  /** How long a handshake may take. */
  readonly handshakeMs: number;
  /** How long an answer may take. */
  readonly answerMs: number;
  /** What answers must follow from; without it they are looked at, not checked. */
  readonly environment?: {
    readonly envId: string;
    readonly flags: readonly Flag[];
    readonly segments: readonly Segment[];
  };
}
