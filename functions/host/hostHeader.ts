/**
 * Whether a request's `Host` can be part of a URL, as the HTTP endpoints need it. Without one it can: HTTP/1.0 knows none, and a
 * balancer's checks send none.
 */
export function isHost(header: string | null | undefined): boolean {
  return !header || URL.canParse(`http://${header}/`);
}
