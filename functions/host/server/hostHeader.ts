/**
 * Whether a request's `Host` can be part of a URL, as the HTTP endpoints require. A missing one is valid: HTTP/1.0 has
 * no `Host`, and a load balancer's checks send none.
 */
export function isHost(header: string | null | undefined): boolean {
  return !header || URL.canParse(`http://${header}/`);
}

/**
 * Whether a request's `Host` is one of these names, with any port, or missing. A browser always sends one.
 *
 * @param names in lower case, an IPv6 address in brackets
 */
export function isOneOf(names: readonly string[], header: string | null | undefined): boolean {
  return !header || names.includes(header.toLowerCase().replace(/:\d{1,5}$/, ''));
}
