/**
 * The query of a request for a WebSocket, `/streaming` in any case, with whatever behind it.
 *
 * @param target as the client wrote it, from the path on
 * @returns undefined for other paths
 */
export function streamingQuery(target: string): URLSearchParams | undefined {
  // Not by `URL`, which throws at some of what a client may write here.
  const [path = '', query = ''] = target.split('?', 2);
  const [first = ''] = path.split('/').filter(Boolean);
  return first.toLowerCase() === 'streaming' ? new URLSearchParams(query) : undefined;
}
