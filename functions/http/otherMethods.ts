import type { Handler } from 'hono';

/**
 * Refuses each method that a path does not have with 405. To be mounted behind the path's own routes.
 *
 * @param allow the methods that it has, as `Allow` lists them; a path that is read has `HEAD` too
 * @param field where the answer says so: clients of OFREP read `errorDetails`, FeatBit's `message`
 */
export function refuseOtherMethods(allow: string, field: 'message' | 'errorDetails' = 'message'): Handler {
  return (context) => context.json({ [field]: `this path takes ${allow} only` }, 405, { allow });
}

/** The methods of a path that is read. */
export const READ_METHODS = 'GET, HEAD';
