import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { parseForeignJson } from '../../shared/flags/nesting.ts';
import { type User, userDocument } from '../../shared/flags/user.ts';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';

/** The largest body of a request, in bytes; Lambda's own limit is 6 MB for the whole request. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Refuses a larger body with 413: at once where its length is given, else when the limit is exceeded. */
export const limitBody = createMiddleware(async (context, next) => {
  const length = context.req.header('content-length');
  if (length === undefined || context.req.header('transfer-encoding') !== undefined) return limitStream(context, next);
  // Not by `bodyLimit`, which makes a stream of the body first: every request would take half as long again.
  return Number(length) > BODY_LIMIT_BYTES ? refuseBody(context) : next();
});

const limitStream = bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: refuseBody });

function refuseBody(context: Context) {
  return context.json(
    { message: `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes: send less at once` },
    413,
  );
}

/** The request's body as JSON. @returns undefined when it is not JSON, or nested too deeply, which every route answers with 400 */
export async function readJson(context: Context): Promise<unknown> {
  try {
    return parseForeignJson(await context.req.text());
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
