/** Names by which a browser on this machine reaches it; any other may be a stranger's that resolves to 127.0.0.1. */
const OWN_NAME = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ADDRESS = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Whether a request names this machine. A page of another site can have its own name resolve to 127.0.0.1, and would then read what
 * is served here as if it were its own; the name that its browser sends gives it away.
 *
 * @param host the Host header
 */
export function isOwnName(host: string | undefined): boolean {
  return host !== undefined && OWN_NAME.test(host);
}

/** Whether the other end of a socket is on this machine. */
export function isOwnAddress(address: string | undefined): boolean {
  return address !== undefined && OWN_ADDRESS.test(address);
}
