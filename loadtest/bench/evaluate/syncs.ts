import { clientMessage } from '../../../shared/delivery/format.ts';
import { replyTo } from '../../../shared/delivery/reply.ts';
import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import { parseUser, type UserDocument } from '../../../shared/flags/user.ts';
import { NodeSdk, sdkUser } from '../../../shared/testing/nodeSdk.ts';
import { evaluateNaively } from './naive.ts';

/** An environment's documents, read. */
export interface Documents {
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
}

/** From a user, as the JSON text an SDK sends, to the bytes of the whole reply. */
export type Sync = (user: string) => Buffer | Promise<Buffer>;

/** As Flagwire does it: flags compiled once, replies put together from fragments. */
export function flagwireSync({ flags, segments }: Documents): (user: string) => Buffer {
  const snapshot = compileSnapshot({ envId: 'benchmark', version: 1, flags, segments });
  return (text) => {
    const user = parseUser(JSON.parse(text));
    if (!user) throw new Error(`not a user: ${text}`);
    const fragments = snapshot.flags.map((flag) => flag.evaluate(user).clientJson);
    return Buffer.from(clientMessage('full', user.keyId, fragments));
  };
}

/** Documents interpreted for every user, the reply serialised as a whole. */
export function naiveSync(documents: Documents): (user: string) => Buffer {
  const flags = documents.flags.toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt));
  const segments = new Map(documents.segments.map((segment) => [segment.id, segment]));
  return (text) => {
    const user = JSON.parse(text) as UserDocument;
    const featureFlags = flags.map((flag) => evaluateNaively(flag, user, segments));
    const data = { eventType: 'full', userKeyId: user.keyId, featureFlags };
    return Buffer.from(JSON.stringify({ messageType: 'data-sync', data }));
  };
}

/**
 * FeatBit's Node server SDK evaluating all flags locally, its results serialised as they come: per flag its key, value,
 * kind and reason, which is less than a reply holds.
 */
export function nodeSdkSync({ flags, segments }: Documents): (user: string) => Promise<Buffer> {
  const snapshot = compileSnapshot({ envId: 'benchmark', version: 1, flags, segments });
  const { client } = new NodeSdk(replyTo(snapshot, 'server', { timestamp: 0 }).text());
  return async (text) => {
    const user = parseUser(JSON.parse(text));
    if (!user) throw new Error(`not a user: ${text}`);
    const featureFlags = await client.getAllVariations(sdkUser(user));
    const data = { eventType: 'full', userKeyId: user.keyId, featureFlags };
    return Buffer.from(JSON.stringify({ messageType: 'data-sync', data }));
  };
}
