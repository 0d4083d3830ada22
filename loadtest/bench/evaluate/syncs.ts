import { clientMessage } from '../../../shared/delivery/format.ts';
import { replyTo } from '../../../shared/delivery/reply.ts';
import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import { parseUser, type User } from '../../../shared/flags/user.ts';
import { NodeSdk, sdkUser } from '../../../shared/testing/nodeSdk.ts';
import type { Workload } from './workloads.ts';

/** From a user, as the JSON text an SDK sends, to the bytes of the whole reply. */
export type Sync = (user: string) => Buffer | Promise<Buffer>;

/** As Flagwire does it: flags compiled once, replies put together from fragments. */
export function flagwireSync(documents: Workload['documents']): Sync {
  const snapshot = compileSnapshot({ envId: 'benchmark', version: 1, ...documents });
  return (text) => {
    const user = readUser(text);
    const fragments = snapshot.flags.map((flag) => flag.evaluate(user).clientJson);
    return Buffer.from(clientMessage('full', user.keyId, fragments));
  };
}

/**
 * FeatBit's Node server SDK evaluating all flags locally, its results serialized as they come: per flag its key, value,
 * kind and reason, which is less than a reply holds.
 */
export function nodeSdkSync(documents: Workload['documents']): Sync {
  const snapshot = compileSnapshot({ envId: 'benchmark', version: 1, ...documents });
  const { client } = new NodeSdk(replyTo(snapshot, 'server', { timestamp: 0 }).text());
  return async (text) => {
    const user = readUser(text);
    const featureFlags = await client.getAllVariations(sdkUser(user));
    const data = { eventType: 'full', userKeyId: user.keyId, featureFlags };
    return Buffer.from(JSON.stringify({ messageType: 'data-sync', data }));
  };
}

/** Where the two come to different values, in words. */
export async function findDifferences({ documents, users }: Workload): Promise<string[]> {
  const [flagwire, nodeSdk] = [flagwireSync(documents), nodeSdkSync(documents)];
  const found: string[] = [];
  for (const user of users) {
    const values = readValues(await nodeSdk(user), 'flagKey', 'value');
    for (const [key, value] of readValues(await flagwire(user), 'id', 'variation')) {
      if (values.get(key) !== value) found.push(`the SDK has ${values.get(key)} for ${key}, not ${value}: ${user}`);
    }
  }
  return found;
}

function readValues(message: Buffer, keyField: string, valueField: string): Map<string, unknown> {
  const { featureFlags } = JSON.parse(message.toString()).data as { featureFlags: Record<string, string>[] };
  return new Map(featureFlags.map((flag) => [flag[keyField] ?? '', flag[valueField]]));
}

export function readUser(text: string): User {
  const user = parseUser(JSON.parse(text));
  if (!user) throw new Error(`not a user: ${text}`);
  return user;
}
