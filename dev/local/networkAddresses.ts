import { isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isLoopback } from '../emulator/listen.ts';

/** Addresses that stand for all of a machine, with the families of addresses that they include. */
const ALL: Readonly<Record<string, readonly string[]>> = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] };

/** Valid on one link only, and not without its name. */
const LINK_LOCAL = /^fe[89ab]/i;

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>;

/** Checks whether a server that listens there can be reached by 127.0.0.1. */
export function includesLoopback(host: string): boolean {
  return isLoopback(host) || host in ALL;
}

/**
 * The addresses by which other machines reach the gateway, with its port, as URLs have them.
 *
 * @param host where it listens
 * @param httpUrl of which the port counts
 * @param interfaces of this machine
 * @returns undefined where only this machine can
 */
export function networkAddresses(host: string, httpUrl: string, interfaces: Interfaces): string[] | undefined {
  if (isLoopback(host)) return undefined;
  const { port } = new URL(httpUrl);
  const families = ALL[host];
  const found = Object.values(interfaces).flatMap((infos = []) =>
    infos.flatMap(({ address, family, internal }) =>
      internal || LINK_LOCAL.test(address) || !families?.includes(family) ? [] : [address],
    ),
  );
  return (families ? found : [host]).map((at) => `${isIPv6(at) ? `[${at}]` : at}:${port}`);
}

/** Warning for a service that other machines can reach. */
export const NETWORK_WARNING = `Warning: everyone on these networks can open /try, read the client key there, and connect without encryption.
  The console answers this machine only. Other machines connect by an address; --host-name <name> accepts a name too.`;
