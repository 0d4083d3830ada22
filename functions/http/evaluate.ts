import type { Context } from 'hono';
import { evaluateFlag, parseEvaluateRequest } from '../../shared/protocol/evaluateRequest.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson, refuseLargeUser } from './body.ts';

/** Evaluates flags for a user on request, without a connection. */
export function evaluateRoute(snapshots: Pick<SnapshotCache, 'read'>) {
  return async (context: Context<AuthenticatedEnv>) => {
    const request = parseEvaluateRequest(await readJson(context));
    if (typeof request === 'string') return context.text(request, 400);
    const refusal = refuseLargeUser(context, request.user);
    if (refusal) return refusal;
    const { snapshot } = await snapshots.read(context.get('grant').envId);
    return context.json(snapshot.flags.filter(request.includes).map((flag) => evaluateFlag(flag, request.user)));
  };
}
