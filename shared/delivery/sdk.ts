/**
 * What one patch may hold for an SDK that evaluates on its own, so that it loses none of it: whatever fits a message, flags or
 * segments but not both, or one item.
 */
export type PatchContents = 'any' | 'one-kind' | 'one-item';

/** Headers of a request, in any letter case. */
type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Tells by the upgrade request of a server-side SDK what it takes in one patch (from the sources of FeatBit's SDKs):
 *
 * - Node, which sends no `User-Agent`, and .NET keep a version for each item, and take several in any order;
 * - Python keeps one version of all it has (to 1.1.7), and applies a patch's flags before its segments, each ascending;
 * - Go keeps one version too, and applies a patch in random order. Java's releases differ, and so may SDKs that are not known.
 *
 * @param headers none at all: who asks is not known
 */
export function patchContentsFor(headers: Headers | null | undefined): PatchContents {
  if (!headers) return 'one-item';
  const found = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { 'user-agent': userAgent, 'x-featbit-user-agent': featBitUserAgent } = Object.fromEntries(found);
  const name = featBitUserAgent ?? userAgent;
  if (name === undefined || name.startsWith('featbit-dotnet-server-sdk')) return 'any';
  return name.startsWith('fb-python-server-sdk') ? 'one-kind' : 'one-item';
}

/** The same as a later message carries it. Connections from before it was noted get one item a patch. */
export function parsePatchContents(text: string | undefined): PatchContents {
  return text === 'any' || text === 'one-kind' ? text : 'one-item';
}
