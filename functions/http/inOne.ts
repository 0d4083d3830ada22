import type { Context, Env, Handler, MiddlewareHandler } from 'hono';

/**
 * Runs handlers in order, as one handler. Hono wraps each handler of an app that is part of another, which takes more CPU time than an
 * evaluation.
 *
 * @param answer the last handler
 */
export function inOne<E extends Env>(middleware: readonly MiddlewareHandler[], answer: Handler<E>) {
  const from = async (context: Context, at: number): Promise<Response | undefined> => {
    const handler = middleware[at];
    if (!handler) return answer(context, async () => {});
    let later: Response | undefined;
    const early = await handler(context, async () => {
      later = await from(context, at + 1);
    });
    return early ?? later;
  };
  return async (context: Context): Promise<Response> => (await from(context, 0)) ?? context.notFound();
}
