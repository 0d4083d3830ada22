import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { parseForeignJson } from '../../shared/flags/nesting.ts';
import { type User, userDocument } from '../../shared/flags/user.ts';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';

/** The largest body of a request, in bytes; Lambda's own limit is 6 MB for the whole request. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Bodies up to this size count in memory as soon as they are announced, larger ones as they come: a stream of a body costs time. */
const ANNOUNCED_BYTES = 16 * 1024;

/** Why a body is received no further; the client may send it again. */
export interface BodyRefusal {
  readonly status: 408 | 429;
  readonly message: string;
}

/** The room in memory that one request's body takes, from its first byte until the request is answered. */
export interface BodyRoom {
  /** So much of the body comes. @returns false when there is no room for it; the body is refused then */
  take(bytes: number): boolean;
  /** Resolves when the body is refused. */
  readonly refused: Promise<BodyRefusal>;
  /** The whole body has been received: it is not refused any more. */
  received(): void;
  /** The request is answered. */
  release(): void;
}

/** Gives bodies room in memory. */
export interface BodyRooms {
  open(): BodyRoom;
}

/** For a process that gets one whole request at a time. */
const anyRoom: BodyRoom = {
  take: () => true,
  refused: new Promise(() => {}),
  received: () => {},
  release: () => {},
};

/**
 * Receives the body for {@link readJson}. One that is larger than {@link BODY_LIMIT_BYTES} is refused with 413: at once where its
 * length is given, else when the limit is exceeded; one that there is no room for, or that comes too slowly, as its room says.
 */
export function takeBody(rooms: BodyRooms = { open: () => anyRoom }) {
  return createMiddleware(async (context, next) => {
    const length = announcedLength(context);
    if (length !== undefined && length > BODY_LIMIT_BYTES) return refuseLarge(context);
    const room = rooms.open();
    try {
      const received = await Promise.race([receive(context, length, room), room.refused]);
      if (received === undefined) return refuseLarge(context);
      if (typeof received !== 'string') return refuse(context, received);
      room.received();
      context.set('body', received);
      return await next();
    } finally {
      room.release();
    }
  });
}

/** @returns undefined where only its end shows */
function announcedLength(context: Context): number | undefined {
  const length = context.req.header('content-length');
  return length === undefined || context.req.header('transfer-encoding') !== undefined ? undefined : Number(length);
}

/** @returns undefined for a body that is too large */
async function receive(
  context: Context,
  length: number | undefined,
  room: BodyRoom,
): Promise<string | BodyRefusal | undefined> {
  if (length !== undefined && length <= ANNOUNCED_BYTES) return room.take(length) ? context.req.text() : room.refused;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) return undefined;
    if (!room.take(chunk.length)) return room.refused;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function refuseLarge(context: Context) {
  return context.json(
    { message: `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes: send less at once` },
    413,
  );
}

/** The rest of the body is not waited for. */
function refuse(context: Context, { status, message }: BodyRefusal) {
  return context.json({ message }, status, { connection: 'close', 'retry-after': '1' });
}

/** The body that {@link takeBody} received, as JSON. @returns undefined when it is not JSON, or nested too deeply, which every route answers with 400 */
export function readJson(context: Context): unknown {
  try {
    return parseForeignJson(context.get('body'));
  } catch {
    return undefined;
  }
}

/** What is said of a user that is too large for streaming, too; undefined for any other. */
export function describeLargeUser(user: User): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(userDocument(user)));
  if (bytes <= INBOUND_LIMIT_BYTES) return undefined;
  return `the user takes ${bytes} bytes; the limit is ${INBOUND_LIMIT_BYTES}: leave out attributes that no flag uses`;
}

/** FeatBit's endpoints' answer to a user that is too large; undefined for any other. */
export function refuseLargeUser(context: Context, user: User) {
  const message = describeLargeUser(user);
  return message === undefined ? undefined : context.json({ message }, 413);
}
