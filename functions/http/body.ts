import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { parseForeignJson } from '../../shared/flags/nesting.ts';
import { type User, userDocument } from '../../shared/flags/user.ts';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';

/** Maximum size of a request's body, in bytes. Lambda's limit is 6 MB for the whole request. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Bodies up to this size are read at once. Reading a body as a stream takes time, but a stream can be cancelled. */
const SMALL_BODY_BYTES = 16 * 1024;

/** Why a body is not received further. The client may send it again. */
export interface BodyRefusal {
  readonly status: 408 | 429;
  readonly message: string;
}

/** The memory of one request's body, from its announcement or its first byte until the response. */
export interface BodyReservation {
  /** Reserves memory for announced or received bytes. @returns false if there is none; the body is refused then */
  take(bytes: number): boolean;
  /** Resolves when the body is refused. */
  readonly refused: Promise<BodyRefusal>;
  /** Marks the body as complete, so that it is not refused any more. */
  received(): void;
  /** Marks the request as answered. */
  release(): void;
}

/** Reserves memory for bodies. */
export interface BodyReservations {
  open(): BodyReservation;
}

/** For a process that receives one whole request at a time. A promise that all requests share would keep their bodies. */
const unlimited = (): BodyReservation => ({
  take: () => true,
  refused: new Promise(() => {}),
  received: () => {},
  release: () => {},
});

/**
 * Receives the body for {@link readJson}. A body larger than {@link BODY_LIMIT_BYTES} is refused with 413: immediately
 * if its length is given, else at the limit. A body without memory, or one that is too slow, is refused as its
 * reservation says.
 */
export function takeBody(reservations: BodyReservations = { open: unlimited }) {
  return createMiddleware(async (context, next) => {
    const length = announcedLength(context);
    if (length !== undefined && length > BODY_LIMIT_BYTES) return refuseLarge(context);
    const reservation = reservations.open();
    try {
      const received = await Promise.race([receive(context, length, reservation), reservation.refused]);
      if (received === undefined) return refuseLarge(context);
      if (typeof received !== 'string') return refuse(context, received);
      reservation.received();
      context.set('body', received);
      return await next();
    } finally {
      reservation.release();
    }
  });
}

/** @returns undefined if the length is unknown before the end */
function announcedLength(context: Context): number | undefined {
  const length = context.req.header('content-length');
  return length === undefined || context.req.header('transfer-encoding') !== undefined ? undefined : Number(length);
}

/** @returns undefined for a body that is too large */
async function receive(
  context: Context,
  length: number | undefined,
  reservation: BodyReservation,
): Promise<string | BodyRefusal | undefined> {
  if (length !== undefined && !reservation.take(length)) return reservation.refused;
  if (length !== undefined && length <= SMALL_BODY_BYTES) return context.req.text();
  const reader = context.req.raw.body?.getReader();
  const chunks: Uint8Array[] = [];
  // The memory of a refused body is free when its chunks are, and when its reader has ended.
  void reservation.refused.then(() => {
    chunks.length = 0;
    return end(reader);
  });
  let bytes = 0;
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    bytes += next.value.length;
    if (bytes > BODY_LIMIT_BYTES) {
      await end(reader);
      return undefined;
    }
    if (length === undefined && !reservation.take(next.value.length)) return reservation.refused;
    chunks.push(next.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function end(reader: Pick<ReadableStreamDefaultReader, 'cancel'> | undefined): Promise<void> {
  // A body whose connection has failed cannot be cancelled.
  await reader?.cancel().catch(() => {});
}

function refuseLarge(context: Context) {
  return context.json(
    { message: `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes; send less in one request` },
    413,
  );
}

/** Does not wait for the rest of the body. */
function refuse(context: Context, { status, message }: BodyRefusal) {
  return context.json({ message }, status, { connection: 'close', 'retry-after': '1' });
}

/**
 * Parses the body from {@link takeBody} as JSON. @returns undefined if it is not JSON or nested too deeply; every route
 * then answers 400
 */
export function readJson(context: Context): unknown {
  try {
    return parseForeignJson(context.get('body'));
  } catch {
    return undefined;
  }
}

/** The error for a user that is also too large for streaming. Undefined for any other. */
export function describeLargeUser(user: User): string | undefined {
  // As JSON, a UTF-16 unit takes at most 6 bytes, an attribute's punctuation 24 and the rest 60.
  let units = 10 + user.keyId.length + (user.name ?? '').length;
  for (const [name, value] of user.attributes) units += 4 + name.length + value.length;
  if (6 * units <= INBOUND_LIMIT_BYTES) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(userDocument(user)));
  if (bytes <= INBOUND_LIMIT_BYTES) return undefined;
  return `the user takes ${bytes} bytes; the limit is ${INBOUND_LIMIT_BYTES}. Leave out attributes that no flag uses`;
}

/** The response of FeatBit's endpoints to a user that is too large. Undefined for any other. */
export function refuseLargeUser(context: Context, user: User) {
  const message = describeLargeUser(user);
  return message === undefined ? undefined : context.json({ message }, 413);
}
