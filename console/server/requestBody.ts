import { NestedTooDeep, parseForeignJson } from '../../shared/flags/nesting.ts';
import { BODY_LIMIT_BYTES } from '../api.ts';
import { RequestError } from './failure.ts';

/** Timeout of receiving a body. It comes from the same machine. */
const BODY_TIMEOUT_MS = 10_000;

/**
 * Reads a request's body as JSON. An empty body is an empty object.
 *
 * @param timeoutMs of receiving it
 * @throws {RequestError} if it is not JSON, nested too deeply, larger than `BODY_LIMIT_BYTES`, or too slow
 */
export async function readJson(request: Request, timeoutMs = BODY_TIMEOUT_MS): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new RequestError('json-required', 'a body must be JSON: Content-Type: application/json');
  }
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const text = await readText(request, timeoutMs);
  try {
    // No field of a body is a long number.
    return text === '' ? {} : JSON.parse(JSON.stringify(parseForeignJson(text)));
  } catch (error) {
    const why = error instanceof NestedTooDeep ? error.message : 'not valid JSON';
    throw new RequestError('bad-request', `the body is ${why}`);
  }
}

async function readText(request: Request, timeoutMs: number): Promise<string> {
  const reader = request.body?.getReader();
  if (!reader) return '';
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new RequestError('bad-request', 'the body did not arrive in time')),
    timeoutMs,
  );
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) return Buffer.concat(chunks).toString();
      bytes += value.length;
      if (bytes > BODY_LIMIT_BYTES) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(): RequestError {
  return new RequestError('body-too-large', `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes`);
}
