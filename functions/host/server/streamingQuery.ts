/**
 * The query of a WebSocket request for `/streaming`, in any case and with any suffix.
 *
 * @param target as the client sent it, from the path on
 * @returns undefined for other paths
 */
export function streamingQuery(target: string): URLSearchParams | undefined {
  // `URL` would throw for some inputs.
  const [path = '', query = ''] = target.split('?', 2);
  const [first = ''] = path.split('/').filter(Boolean);
  return first.toLowerCase() === 'streaming' ? new URLSearchParams(query) : undefined;
}
