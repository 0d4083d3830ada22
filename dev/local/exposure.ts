import { isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isLoopback } from '../emulator/listen.ts';

/** Addresses that stand for all of a machine. */
const ALL: readonly string[] = ['0.0.0.0', '::'];

/**
 * What to say of a gateway that others can reach, with the streaming URLs for them.
 *
 * @param host where it listens
 * @param httpUrl of which the port counts
 * @param interfaces of this machine
 * @returns undefined where only this machine can
 */
export function exposureWarning(
  host: string,
  httpUrl: string,
  interfaces: Readonly<
    Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
  >,
): string | undefined {
  if (isLoopback(host)) return undefined;
  const { port } = new URL(httpUrl);
  const own = Object.values(interfaces).flatMap((infos = []) =>
    infos.flatMap(({ address, family, internal }) => (internal || family !== 'IPv4' ? [] : [address])),
  );
  const urls = (ALL.includes(host) ? own : [host]).map((at) => `ws://${isIPv6(at) ? `[${at}]` : at}:${port}`);
  return [
    'Warning: anyone who can reach this machine over its networks can connect, without encryption, and send messages to connected clients.',
    `  for them    ${urls.join('  ') || 'no address of a network was found'}`,
    '  They may use an address. A name of this machine is accepted with --host-name <name>.',
    '  The console answers this machine alone, at 127.0.0.1 or ::1, and asks for its token here too.',
  ].join('\n');
}
