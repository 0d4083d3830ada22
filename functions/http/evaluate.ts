import type { Context } from 'hono';
import { evaluateFlag, parseEvaluateRequest } from '../../shared/protocol/evaluateRequest.ts';
import type { SnapshotSource } from '../../shared/store/snapshots/snapshotCache.ts';
import { NO_VARIATION } from '../../shared/store/usage/usage.ts';
import type { AuthenticatedEnv } from './auth.ts';
import { readJson, refuseLargeUser } from './body.ts';
import type { BodyGate } from './bodyGate.ts';
import type { UsageSink } from './usageSink.ts';

/** Evaluates flags for a user over HTTP, without a connection. An evaluation of a single flag is counted. */
export function evaluateRoute(snapshots: SnapshotSource, bodyGate: BodyGate, usage: UsageSink | undefined) {
  return async (context: Context<AuthenticatedEnv>) => {
    const request = parseEvaluateRequest(readJson(context));
    if (typeof request === 'string') return context.text(request, 400);
    const refusal = refuseLargeUser(context, request.user);
    if (refusal) return refusal;
    const { envId } = context.get('grant');
    const { onlyKey } = request;
    const { snapshot } = await snapshots.read(envId);
    let variationId = NO_VARIATION;
    const body = await bodyGate(context, () => {
      const flags = snapshot.flags.filter(request.includes);
      const evaluated = flags.map((flag) => evaluateFlag(flag, request.user));
      variationId = evaluated[0]?.variation.id ?? NO_VARIATION;
      return JSON.stringify(evaluated);
    });
    if (onlyKey !== undefined) await usage?.count(envId, snapshot, [{ flagKey: onlyKey, variationId }]);
    return context.body(body, 200, { 'content-type': 'application/json' });
  };
}
