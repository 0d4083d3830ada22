import type { Context as HonoContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { NestedTooDeep, parseForeignJson } from '../../shared/flags/nesting.ts';
import { BODY_LIMIT_BYTES } from '../api.ts';
import { RequestError } from './failure.ts';

/** Refuses bodies larger than `BODY_LIMIT_BYTES`. The server limits the time of receiving them: `serve` to 15 s, `npm start` to Node's 300 s. */
export const limitBody = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: () => {
    throw new RequestError('body-too-large', `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes`);
  },
});

/**
 * Reads a request's body as JSON. An empty body is an empty object.
 *
 * @throws {RequestError} if it is not JSON, or nested too deeply
 */
export async function readJson({ req }: HonoContext): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(req.header('content-type') ?? '')) {
    throw new RequestError('json-required', 'a body must be JSON: Content-Type: application/json');
  }
  const text = await req.text();
  try {
    // No field of a body is a long number.
    return text === '' ? {} : JSON.parse(JSON.stringify(parseForeignJson(text)));
  } catch (error) {
    const why = error instanceof NestedTooDeep ? error.message : 'not valid JSON';
    throw new RequestError('bad-request', `the body is ${why}`);
  }
}
