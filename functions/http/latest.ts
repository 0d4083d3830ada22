import type { Context } from 'hono';
import { replyTo } from '../../shared/delivery/reply.ts';
import { parseUser } from '../../shared/flags/user.ts';
import { queryValues } from '../../shared/protocol/query.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { SnapshotSource } from '../../shared/store/snapshots/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson, refuseLargeUser } from './body.ts';
import type { BodyGate } from './bodyGate.ts';
import { compressLarge } from './compressLarge.ts';

/** The polling endpoint: for server-side SDKs the flags and segments themselves, for client-side SDKs flags evaluated for the user in the body. */
export function latestRoute(type: SecretType, snapshots: SnapshotSource, bodyGate: BodyGate) {
  return async (context: Context<AuthenticatedEnv>) => {
    const timestamp = readTimestamp(context);
    if (timestamp === undefined)
      return context.json({ message: 'timestamp must be a whole number of unix milliseconds' }, 400);
    const user = type === 'client' ? parseUser(readJson(context)) : undefined;
    if (type === 'client' && !user) return context.text('invalid end user', 400);
    const refusal = user && refuseLargeUser(context, user);
    if (refusal) return refusal;
    const { snapshot } = await snapshots.read(context.get('grant').envId, timestamp);
    const reply = replyTo(snapshot, type, { timestamp, ...(user && { user }) });
    // Like FeatBit's, the body is empty if nothing is newer. Else it is the same message as over WebSocket, in one part.
    if (reply.isEmpty) return context.body(null, 200);
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
    const body = await bodyGate(context, (offer) => compressLarge(context, reply.text(), headers, offer));
    return context.body(body, 200, headers);
  };
}

/** The cursor. If it is repeated, the first counts. @returns undefined if it is not a whole number */
function readTimestamp(context: Context): number | undefined {
  const [text = '0'] = queryValues(Object.entries(context.req.query()), 'timestamp');
  return /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
}
