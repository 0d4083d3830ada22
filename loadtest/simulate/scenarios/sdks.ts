import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';

/** How a FeatBit SDK behaves where it costs the service something. */
export interface Sdk {
  readonly name: string;
  readonly type: 'client' | 'server';
  readonly pingSeconds: number;
  /** Seconds from the end of a connection to the next attempt. */
  readonly reconnectSeconds: number;
  /** Seconds before attempt `n` (1, 2, …) after a refused one; `random` is from 0 up to 1. */
  readonly backOffSeconds: (n: number, random: number) => number;
}

/** Pauses from a list, whose last one is repeated. */
const listed = (seconds: readonly number[]) => (n: number) => seconds[Math.min(n, seconds.length) - 1] as number;

/** Doubling from one second to sixty: a half of it, and up to another half by chance. */
const doubled = (n: number, random: number) => (Math.min(60, 2 ** (n - 1)) * (1 + random)) / 2;

const javaScript = listed([1, 3, 5, 7, 11, 13, 30, 60]);

/**
 * FeatBit's SDKs, as their sources have it and runs have shown: pings, and what follows a refused handshake and an ended
 * connection. Java notices the end only when a ping cannot be written.
 */
export const SDKS = {
  'js-client': sdk('client', SDK_PING_SECONDS, 1, javaScript),
  node: sdk('server', SDK_PING_SECONDS, 1, javaScript),
  dotnet: sdk('server', 15, 0, listed([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])),
  go: sdk('server', 10, 0, doubled),
  python: sdk('server', 10, 1, doubled),
  java: sdk('server', 10, 17, doubled),
} satisfies Readonly<Record<string, Omit<Sdk, 'name'>>>;

/** One of {@link SDKS}. */
export type SdkName = keyof typeof SDKS;

/** SDKs by their part of all connections; the parts add up to 1. */
export type SdkMix = readonly (Sdk & { readonly share: number })[];

/** One in each hundred connections: fine enough for a mix. */
const PARTS = 100;

/** Reads a mix such as `js-client=80,go=20`, in percent. @throws Error naming what is wrong with it */
export function parseMix(text: string): SdkMix {
  const names = Object.keys(SDKS).join(', ');
  const mix = text.split(',').map((part) => {
    const [name = '', percent = '100'] = part.split('=');
    if (!Object.hasOwn(SDKS, name)) throw new Error(`there is no SDK "${name}"; there are ${names}`);
    if (!/^\d{1,3}$/.test(percent)) throw new Error(`"${part}" has no whole percentage, as in js-client=80,go=20`);
    return { ...SDKS[name as SdkName], name, share: Number(percent) / PARTS };
  });
  const sum = Math.round(mix.reduce((total, { share }) => total + share * PARTS, 0));
  if (sum !== PARTS) throw new Error(`the percentages add up to ${sum}, not to 100`);
  return mix;
}

/** Tells the SDK of each connection by its number: every hundred in a row are the mix. */
export function sdkOf(mix: SdkMix): (connection: number) => Sdk {
  const table = mix.flatMap((sdk) => Array.from({ length: Math.round(sdk.share * PARTS) }, () => sdk));
  // Coprime to a hundred, so that neighbours differ.
  return (connection) => table[(connection * 37) % table.length] as Sdk;
}

/** Pings a second of an average connection. */
export function pingsPerSecond(mix: SdkMix): number {
  return mix.reduce((sum, { share, pingSeconds }) => sum + share / pingSeconds, 0);
}

function sdk(
  type: Sdk['type'],
  pingSeconds: number,
  reconnectSeconds: number,
  backOffSeconds: Sdk['backOffSeconds'],
): Omit<Sdk, 'name'> {
  return { type, pingSeconds, reconnectSeconds, backOffSeconds };
}
