/** How a FeatBit SDK reconnects. */
interface Sdk {
  readonly type: 'client' | 'server';
  /** Seconds from the end of a connection to the next attempt. */
  readonly reconnectSeconds: number;
  /** Seconds before attempt `n` (1, 2, …) after a refused one; `random` is from 0 up to 1. */
  readonly backOffSeconds: (n: number, random: number) => number;
  /** True if the first attempt after an end already uses the first back-off, instead of an additional pause. */
  readonly isEndCounted: boolean;
  /** True if a successful attempt resets the back-off. Node's back-off lasts as long as its process. */
  readonly isResetByOpening: boolean;
}

/** Pauses from a list. The last one repeats. */
const listed = (seconds: readonly number[]) => (n: number) => seconds[Math.min(n, seconds.length) - 1] as number;

/** Doubles from one second to sixty, with half of the pause at random. */
const doubled = (n: number, random: number) => (Math.min(60, 2 ** (n - 1)) * (1 + random)) / 2;

const USUAL = { type: 'server', reconnectSeconds: 0, isEndCounted: false, isResetByOpening: true } as const;
const DOUBLED = { ...USUAL, backOffSeconds: doubled };
const JAVA_SCRIPT = {
  ...USUAL,
  reconnectSeconds: 1,
  isEndCounted: true,
  backOffSeconds: listed([1, 3, 5, 7, 11, 13, 30, 60]),
};

/**
 * FeatBit's SDKs, from their sources and from test runs: the pauses after a refused handshake and after the end of a connection. Java
 * notices the end only if it cannot write a ping.
 */
export const SDKS: Readonly<Record<'js-client' | 'node' | 'dotnet' | 'go' | 'python' | 'java', Sdk>> = {
  'js-client': { ...JAVA_SCRIPT, type: 'client' },
  node: { ...JAVA_SCRIPT, isResetByOpening: false },
  dotnet: { ...USUAL, isEndCounted: true, backOffSeconds: listed([0, 1, 2, 3, 5, 8, 13, 21, 34, 55]) },
  go: DOUBLED,
  python: { ...DOUBLED, reconnectSeconds: 1 },
  java: { ...DOUBLED, reconnectSeconds: 17 },
};

/** Seconds before an attempt to reconnect. Attempt 0 is the first after the end; `random` is from 0 up to 1. */
export function pauseSeconds(sdk: Sdk, attempt: number, random: number): number {
  if (attempt === 0) return sdk.reconnectSeconds;
  return sdk.backOffSeconds(sdk.isEndCounted ? attempt + 1 : attempt, random);
}
