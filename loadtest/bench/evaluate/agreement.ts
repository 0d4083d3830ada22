import { type Documents, flagwireSync, naiveSync, nodeSdkSync } from './syncs.ts';

/**
 * Checks, before anything is timed, that all contestants do the same work: the naive reply is Flagwire's byte for byte,
 * and the SDK comes to the same value for every flag.
 *
 * @returns what disagrees, in words; empty when nothing does
 */
export async function disagreements(documents: Documents, users: readonly string[]): Promise<string[]> {
  const flagwire = flagwireSync(documents);
  const naive = naiveSync(documents);
  const nodeSdk = nodeSdkSync(documents);
  const found: string[] = [];
  for (const user of users) {
    const reply = flagwire(user);
    if (!reply.equals(naive(user))) found.push(`the naive reply differs for ${user}`);
    const values = valuesOf(reply, 'id', 'variation');
    const sdkValues = valuesOf(await nodeSdk(user), 'flagKey', 'value');
    for (const [key, value] of values) {
      if (sdkValues.get(key) !== value)
        found.push(`the SDK says ${sdkValues.get(key)} for ${key}, not ${value}: ${user}`);
    }
  }
  return found;
}

function valuesOf(message: Buffer, keyField: string, valueField: string): Map<string, unknown> {
  const { featureFlags } = JSON.parse(message.toString()).data as { featureFlags: Record<string, string>[] };
  return new Map(featureFlags.map((flag) => [flag[keyField] ?? '', flag[valueField]]));
}
