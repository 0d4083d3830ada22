import type { Context } from 'hono';
import { evaluateFlag, parseEvaluateRequest } from '../../shared/protocol/evaluateRequest.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson, refuseLargeUser } from './body.ts';
import type { BodyGate } from './bodyGate.ts';

/** Evaluates flags for a user over HTTP, without a connection. */
export function evaluateRoute(snapshots: Pick<SnapshotCache, 'read'>, bodyGate: BodyGate) {
  return async (context: Context<AuthenticatedEnv>) => {
    const request = parseEvaluateRequest(readJson(context));
    if (typeof request === 'string') return context.text(request, 400);
    const refusal = refuseLargeUser(context, request.user);
    if (refusal) return refusal;
    const { snapshot } = await snapshots.read(context.get('grant').envId);
    const body = await bodyGate(context, () => {
      const flags = snapshot.flags.filter(request.includes);
      return JSON.stringify(flags.map((flag) => evaluateFlag(flag, request.user)));
    });
    return context.body(body, 200, { 'content-type': 'application/json' });
  };
}
