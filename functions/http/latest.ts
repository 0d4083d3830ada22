import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { parseUser, type User } from '../../shared/flags/user.ts';
import { selectSince } from '../../shared/protocol/cursor.ts';
import { formatFor, formatReply } from '../../shared/protocol/reply.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson, refuseLargeUser } from './body.ts';

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
    const refusal = refuseLargeUser(context, user);
    if (refusal) return refusal;
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
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  if (body.length < COMPRESS_FROM_BYTES) return context.body(body, 200, headers);
  const varied = { ...headers, vary: 'Accept-Encoding' };
  return isGzipAccepted(context)
    ? context.body(new Uint8Array(gzipSync(body)), 200, { ...varied, 'content-encoding': 'gzip' })
    : context.body(body, 200, varied);
}

function isGzipAccepted(context: Context): boolean {
  const supports = ['gzip', 'identity'];
  return accepts(context, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip';
}

/** The name may be in any letter case; of several the first counts. */
function readTimestamp(context: Context): number | undefined {
  const [, text = '0'] = Object.entries(context.req.query()).find(([name]) => name.toLowerCase() === 'timestamp') ?? [];
  return /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function badTimestamp(context: Context) {
  return context.json({ message: 'timestamp must be unix milliseconds, a whole number' }, 400);
}
