import type { Handler } from 'hono';

/**
 * Refuses unsupported methods of a path with 405. Mount it after the path's own routes.
 *
 * @param allow the supported methods as `Allow` lists them; with GET also `HEAD`
 * @param field name of the message's field: `errorDetails` for OFREP clients, `message` for FeatBit's
 */
export function refuseOtherMethods(allow: string, field: 'message' | 'errorDetails' = 'message'): Handler {
  return (context) => context.json({ [field]: `this path only supports ${allow}` }, 405, { allow });
}

/** The methods of a read-only path. */
export const READ_METHODS = 'GET, HEAD';
