import { isIP } from 'node:net';

/** Addresses of this machine and of private networks. The peer is then a proxy, a load balancer, or a neighbour. */
const PRIVATE =
  /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^::1?$|^f[cd]|^fe[89ab]/i;

/**
 * The address that a client's budget is for: of IPv6 the first 64 bits, because one client has all of the others.
 *
 * A private address stands for many clients, so it has no budget. `X-Forwarded-For` counts only where proxies are
 * trusted: clients can send anything in it, and each proxy appends the address of its own peer.
 *
 * @param peer address of the other end of the socket
 * @param forwardedFor the header `X-Forwarded-For`
 * @param trustedProxies number of proxies in front of this process
 * @returns undefined if it is unknown or private
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null | undefined,
  trustedProxies: number,
): string | undefined {
  const forwarded = trustedProxies > 0 ? forwardedFor?.split(',').at(-trustedProxies)?.trim() : undefined;
  const address = (forwarded ?? peer ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  const version = isIP(address);
  if (version === 0 || PRIVATE.test(address)) return undefined;
  return version === 4 ? address : networkOf(address);
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [first = '', last] = address.toLowerCase().split('::');
  const groups = first.split(':');
  const missing = last === undefined ? 0 : 8 - groups.length - last.split(':').length;
  return [...groups, ...Array<string>(missing).fill('0'), ...(last ?? '').split(':')]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
