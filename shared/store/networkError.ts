/**
 * The host that a request did not reach, and why, as one line. Credential providers wrap such an error in one of theirs.
 *
 * @returns undefined if the error has another cause
 */
export function describeNetworkError(error: Error): string | undefined {
  // A host name with several addresses has an error for each address.
  const all = [error, error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  const text = all.map((each) => (each as Error | undefined)?.message).join('\n');
  const [, unresolved, name] = /getaddrinfo (ENOTFOUND|EAI_AGAIN) (\S+)/.exec(text) ?? [];
  if (name) return `the host name ${name} cannot be resolved (${unresolved})`;
  const [, refused, address] = /connect (ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) (\S+)/.exec(text) ?? [];
  return address && `${address} cannot be reached (${refused})`;
}
