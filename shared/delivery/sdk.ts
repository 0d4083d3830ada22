/**
 * What a server-side SDK accepts in one patch without losing items: any items that fit a message, either flags or
 * segments, or one item.
 */
export type PatchContents = 'any' | 'one-kind' | 'one-item';

/** Headers of a request. Names may have any case. */
type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Detects what a server-side SDK accepts in one patch, by its upgrade request and the sources of FeatBit's SDKs:
 *
 * - Node (no `User-Agent`) and .NET keep a version for each item. They accept several items in any order.
 * - Python (up to 1.1.7) keeps one version for all items. It applies a patch's flags before its segments, each
 *   ascending.
 * - Go keeps one version too, and applies a patch in random order. Java's releases differ. Unknown SDKs may do the
 *   same.
 *
 * @param headers undefined if the SDK is unknown
 */
export function patchContentsFor(headers: Headers | null | undefined): PatchContents {
  if (!headers) return 'one-item';
  const found = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { 'user-agent': userAgent, 'x-featbit-user-agent': featBitUserAgent } = Object.fromEntries(found);
  const name = featBitUserAgent ?? userAgent;
  if (name === undefined || name.startsWith('featbit-dotnet-server-sdk')) return 'any';
  return name.startsWith('fb-python-server-sdk') ? 'one-kind' : 'one-item';
}

/** The value as a later message carries it. Connections from before this field get one item in a patch. */
export function parsePatchContents(text: string | undefined): PatchContents {
  return text === 'any' || text === 'one-kind' ? text : 'one-item';
}
