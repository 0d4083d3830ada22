import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';

/** How a FeatBit SDK behaves where it costs the service something. */
export interface Sdk {
  readonly type: 'client' | 'server';
  readonly pingSeconds: number;
  /** Seconds from the end of a connection to the next attempt. */
  readonly reconnectSeconds: number;
  /** Seconds before attempt `n` (1, 2, …) after a refused one; `random` is from 0 up to 1. */
  readonly backOffSeconds: (n: number, random: number) => number;
  /** Whether the attempt after an end is the first of those pauses already, rather than one before them. */
  readonly isEndCounted: boolean;
  /** Whether an attempt that succeeds begins the pauses anew; Node's go on for as long as the process lives. */
  readonly isResetByOpening: boolean;
  /** Codes of a server's close after which it never comes back. */
  readonly stopsAt: readonly number[];
  /** The `User-Agent` of its upgrade request, by which a server tells what it takes in one patch. */
  readonly userAgent?: string;
}

/** Pauses from a list, whose last one is repeated. */
const listed = (seconds: readonly number[]) => (n: number) => seconds[Math.min(n, seconds.length) - 1] as number;

/** What a server closes with when it is done, and when it refuses a key. */
const [NORMAL, REFUSED] = [1000, 4003];

/** Doubling from one second to sixty: a half of it, and up to another half by chance. */
const doubled = (n: number, random: number) => (Math.min(60, 2 ** (n - 1)) * (1 + random)) / 2;

const javaScript = listed([1, 3, 5, 7, 11, 13, 30, 60]);

/**
 * FeatBit's SDKs, as their sources have it and runs have shown: pings, and what follows a refused handshake and an ended
 * connection. Java notices the end only when a ping cannot be written, and no code; Python takes no code for the last.
 */
export const SDKS = {
  'js-client': sdk('client', SDK_PING_SECONDS, 1, javaScript, { isEndCounted: true, stopsAt: [REFUSED] }),
  node: sdk('server', SDK_PING_SECONDS, 1, javaScript, {
    isEndCounted: true,
    isResetByOpening: false,
    stopsAt: [REFUSED],
  }),
  dotnet: sdk('server', 15, 0, listed([0, 1, 2, 3, 5, 8, 13, 21, 34, 55]), {
    isEndCounted: true,
    stopsAt: [NORMAL, REFUSED],
    userAgent: 'featbit-dotnet-server-sdk',
  }),
  go: sdk('server', 10, 0, doubled, { stopsAt: [NORMAL, REFUSED], userAgent: 'fb-go-server-sdk' }),
  python: sdk('server', 10, 1, doubled, { userAgent: 'fb-python-server-sdk' }),
  java: sdk('server', 10, 17, doubled, { userAgent: 'fb-java-server-sdk' }),
} satisfies Readonly<Record<string, Sdk>>;

/** One of {@link SDKS}. */
export type SdkName = keyof typeof SDKS;

/** Seconds before an attempt to come back, 0 the first since the connection ended; `random` is from 0 up to 1. */
export function pauseSeconds(sdk: Sdk, attempt: number, random: number): number {
  if (attempt === 0) return sdk.reconnectSeconds;
  return sdk.backOffSeconds(sdk.isEndCounted ? attempt + 1 : attempt, random);
}

function sdk(
  type: Sdk['type'],
  pingSeconds: number,
  reconnectSeconds: number,
  backOffSeconds: Sdk['backOffSeconds'],
  rest: Partial<Pick<Sdk, 'isEndCounted' | 'isResetByOpening' | 'stopsAt' | 'userAgent'>>,
): Sdk {
  return {
    type,
    pingSeconds,
    reconnectSeconds,
    backOffSeconds,
    isEndCounted: false,
    isResetByOpening: true,
    stopsAt: [],
    ...rest,
  };
}
