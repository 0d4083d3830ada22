import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { parseUser, type User } from '../../shared/flags/user.ts';
import { selectSince } from '../../shared/protocol/cursor.ts';
import { formatFor, formatReply } from '../../shared/protocol/reply.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson } from './body.ts';

/**
 * Answers from this size on are compressed where the client allows it: Lambda carries 6 MB, which an environment of
 * some thousand flags exceeds uncompressed.
 */
const COMPRESS_FROM_BYTES = 64 * 1024;

/** Polling of server-side SDKs: the flags and segments themselves. */
export function serverLatestRoute(snapshots: Pick<SnapshotCache, 'read'>) {
  return async (context: Context<AuthenticatedEnv>) => {
    const timestamp = readTimestamp(context);
    if (timestamp === undefined) return badTimestamp(context);
    const { snapshot } = await snapshots.read(context.get('grant').envId);
    return reply(context, snapshot, 'server', timestamp);
  };
}

/** Polling of client-side SDKs: flags evaluated for the user in the body. */
export function clientLatestRoute(snapshots: Pick<SnapshotCache, 'read'>) {
  return async (context: Context<AuthenticatedEnv>) => {
    const timestamp = readTimestamp(context);
    if (timestamp === undefined) return badTimestamp(context);
    const user = parseUser(await readJson(context));
    if (!user) return context.text('invalid end user', 400);
    const { snapshot } = await snapshots.read(context.get('grant').envId);
    return reply(context, snapshot, 'client', timestamp, user);
  };
}

/** The same message as over WebSocket, in one piece; nothing at all when there is nothing newer, as in FeatBit. */
function reply(context: Context, snapshot: Snapshot, type: SecretType, timestamp: number, user?: User) {
  const selection = selectSince(snapshot, type, timestamp);
  const isEmptyPatch = selection.eventType === 'patch' && selection.flags.length + selection.segments.length === 0;
  if (isEmptyPatch) return context.body(null, 200);
  const body = formatReply(selection, formatFor(type, user));
  const isCompressed =
    body.length >= COMPRESS_FROM_BYTES && /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
  return context.body(isCompressed ? new Uint8Array(gzipSync(body)) : body, 200, {
    'content-type': 'application/json; charset=utf-8',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  });
}

function readTimestamp(context: Context): number | undefined {
  const text = context.req.query('timestamp') ?? '0';
  return /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function badTimestamp(context: Context) {
  return context.json({ message: 'timestamp must be unix milliseconds, a whole number' }, 400);
}
