/** Host names of this machine in a browser. Any other name may belong to a foreign site that resolves to 127.0.0.1. */
const OWN_NAME = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ADDRESS = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Whether a request names this machine. This prevents DNS rebinding: a foreign site can resolve its name to 127.0.0.1
 * and then read local responses. Its browser still sends that name.
 *
 * @param host the Host header
 */
export function isOwnName(host: string | undefined): boolean {
  return host !== undefined && OWN_NAME.test(host);
}

/** Whether the remote end of a socket is on this machine. */
export function isOwnAddress(address: string | undefined): boolean {
  return address !== undefined && OWN_ADDRESS.test(address);
}
