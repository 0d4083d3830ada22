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
  if (address) return `${isProxy(address) ? 'the proxy ' : ''}${address} cannot be reached (${refused})`;
  // Node's message of a proxy that answers; the proxy's URL may hold a password.
  const [, target, answer] = /^Failed to establish tunnel to ([^ ]+) via [^ ]+ ([^\n]+)$/m.exec(text) ?? [];
  return target && `the HTTPS proxy refuses ${target} (${answer})`;
}

function isProxy(address: string): boolean {
  return Object.entries(process.env).some(
    ([name, value]) => /^(https?|all)_proxy$/i.test(name) && value?.includes(address),
  );
}
