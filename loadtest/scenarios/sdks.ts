import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';

/** The behavior of a FeatBit SDK that affects the cost of the service. */
export interface Sdk {
  readonly type: 'client' | 'server';
  readonly pingSeconds: number;
  /** Seconds from the end of a connection to the next attempt. */
  readonly reconnectSeconds: number;
  /** Seconds before attempt `n` (1, 2, …) after a refused one; `random` is from 0 up to 1. */
  readonly backOffSeconds: (n: number, random: number) => number;
  /** True if the first attempt after an end already uses the first back-off, instead of an additional pause. */
  readonly isEndCounted: boolean;
  /** True if a successful attempt resets the back-off. Node's back-off lasts as long as its process. */
  readonly isResetByOpening: boolean;
  /** Close codes of a server after which it never reconnects. */
  readonly stopsAt: readonly number[];
  /** The `User-Agent` of its upgrade request. The server limits the size of a patch by it. */
  readonly userAgent?: string;
}

/** Pauses from a list. The last one repeats. */
const listed = (seconds: readonly number[]) => (n: number) => seconds[Math.min(n, seconds.length) - 1] as number;

/** Close codes of a server for a normal end, and for a refused key. */
const [NORMAL, REFUSED] = [1000, 4003];

/** Doubles from one second to sixty, with half of the pause at random. */
const doubled = (n: number, random: number) => (Math.min(60, 2 ** (n - 1)) * (1 + random)) / 2;

const USUAL = {
  type: 'server',
  reconnectSeconds: 0,
  isEndCounted: false,
  isResetByOpening: true,
  stopsAt: [],
} as const;
const DOUBLED = { ...USUAL, pingSeconds: 10, backOffSeconds: doubled };
const JAVA_SCRIPT = {
  ...USUAL,
  pingSeconds: SDK_PING_SECONDS,
  reconnectSeconds: 1,
  isEndCounted: true,
  stopsAt: [REFUSED],
  backOffSeconds: listed([1, 3, 5, 7, 11, 13, 30, 60]),
};

/**
 * FeatBit's SDKs, from their sources and from test runs: pings, and the behavior after a refused handshake and after the end of a
 * connection. Java notices the end only if it cannot write a ping, and ignores codes. Python treats no code as final.
 */
export const SDKS: Readonly<Record<'js-client' | 'node' | 'dotnet' | 'go' | 'python' | 'java', Sdk>> = {
  'js-client': { ...JAVA_SCRIPT, type: 'client' },
  node: { ...JAVA_SCRIPT, isResetByOpening: false },
  dotnet: {
    ...USUAL,
    pingSeconds: 15,
    isEndCounted: true,
    stopsAt: [NORMAL, REFUSED],
    backOffSeconds: listed([0, 1, 2, 3, 5, 8, 13, 21, 34, 55]),
    userAgent: 'featbit-dotnet-server-sdk',
  },
  go: { ...DOUBLED, stopsAt: [NORMAL, REFUSED], userAgent: 'fb-go-server-sdk' },
  python: { ...DOUBLED, reconnectSeconds: 1, userAgent: 'fb-python-server-sdk' },
  java: { ...DOUBLED, reconnectSeconds: 17, userAgent: 'fb-java-server-sdk' },
};

/** One of {@link SDKS}. */
export type SdkName = keyof typeof SDKS;

/** Seconds before an attempt to reconnect. Attempt 0 is the first after the end; `random` is from 0 up to 1. */
export function pauseSeconds(sdk: Sdk, attempt: number, random: number): number {
  if (attempt === 0) return sdk.reconnectSeconds;
  return sdk.backOffSeconds(sdk.isEndCounted ? attempt + 1 : attempt, random);
}
