import type { Context } from 'hono';

/** The request's body as JSON. @returns undefined when it is not JSON, which every route takes for a bad request */
export async function readJson(context: Context): Promise<unknown> {
  try {
    return JSON.parse(await context.req.text());
  } catch {
    return undefined;
  }
}
