import { createHmac, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { isJsonObject } from '../../shared/flags/reader.ts';
import { isOpen, type SignedRequest } from '../../shared/plans/releasePlan.ts';
import { isGuid } from '../../shared/protocol/guid.ts';
import { printable } from '../../shared/protocol/printable.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import { fireGuard } from '../../shared/store/plans/applyPlan.ts';
import { readWebhookSecrets } from '../../shared/store/plans/webhooks.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { log } from '../telemetry/log.ts';

/** Maximum size of the body of a request, in bytes. */
const BODY_LIMIT_BYTES = 4 * 1024;
/** Maximum number of characters of a reason. */
const REASON_LIMIT = 200;
/** Maximum difference between the time of a signature and now, in seconds. */
const CLOCK_LIMIT_S = 300;

const MALFORMED = {
  message: `the body must be JSON of at most ${BODY_LIMIT_BYTES} bytes, such as {"reason":"errors"}; a reason has at most ${REASON_LIMIT} characters`,
};
/** One answer for all cases, so that it does not show which plans exist. */
const REFUSED = {
  message:
    `there is no such webhook, or the signature is wrong: x-flagwire-timestamp must be unix seconds, at most ${CLOCK_LIMIT_S} seconds from now, ` +
    'and x-flagwire-signature must be sha256=<hex HMAC-SHA256 of "<timestamp>.<body>" with the secret of the plan>',
};
const IGNORED =
  'the plan ignored the request, because the same request has fired before, or because the plan has no webhook; sign a new request';

/**
 * The webhooks of plans. A signed request undoes the applied steps of its plan. A request without a valid signature costs at most one read
 * of the table.
 */
export function createWebhook(table: Table): Hono {
  const app = new Hono();
  app.post('/guards/:envId/:planId', async (context) => {
    const { envId, planId } = context.req.param();
    const body = Buffer.from(await context.req.arrayBuffer());
    const reason = readReason(body);
    if (reason === undefined) return context.json(MALFORMED, 400);

    const timestamp = context.req.header('x-flagwire-timestamp') ?? '';
    const signature = context.req.header('x-flagwire-signature') ?? '';
    const isPlausible = isRecent(timestamp, table.effects.now()) && SIGNATURE.test(signature) && isGuid(envId);
    const secrets = isPlausible ? await readWebhookSecrets(table, envId) : undefined;
    const expected = secrets && sign(secrets(planId), timestamp, body);
    if (!expected || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) {
      return context.json(REFUSED, 401);
    }

    const name = reason === '' ? 'webhook' : `webhook: ${printable(reason)}`;
    const request = signedRequest(timestamp, signature);
    const plan = await fireGuard(table, envId, planId, { kind: 'webhook', name, request });
    const paused = plan?.state.kind === 'paused' && plan.state.guard !== undefined ? plan.state : undefined;
    const fired = paused?.isWebhook === true && plan?.webhook?.used?.at(-1)?.id === request.id;
    log.info('a webhook was requested', { envId, planId, guard: name, isFired: fired });
    const answer = { fired, state: plan?.state.kind ?? 'deleted' };
    if (plan && isOpen(plan) && !paused) return context.json({ ...answer, message: IGNORED }, 409);
    return context.json({ ...answer, ...(paused ? { reason: paused.reason } : {}) }, 202);
  });
  app.onError((error, context) => {
    log.error('the request of a webhook failed', { error });
    return context.json({ message: 'the plan cannot be changed now; send the request again' }, 503, RETRY_AFTER);
  });
  return app;
}

/** A part of the signature identifies it. The whole would let readers of the plan send the request again. */
function signedRequest(timestamp: string, signature: string): SignedRequest {
  // The clock of the next reader may be behind.
  return { id: signature.slice(7, 23), expiresAt: (Number(timestamp) + 2 * CLOCK_LIMIT_S) * 1_000 };
}

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** The value of the header `x-flagwire-signature`. */
function sign(secret: string, timestamp: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** @param timestamp unix seconds @param now unix milliseconds */
function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - now) <= CLOCK_LIMIT_S * 1_000;
}

/** @returns an empty text if the body has no reason, undefined if the body is malformed */
function readReason(body: Buffer): string | undefined {
  if (body.length > BODY_LIMIT_BYTES) return undefined;
  try {
    const parsed: unknown = JSON.parse(body.toString());
    const { reason = '' } = isJsonObject(parsed) ? parsed : { reason: null };
    return typeof reason === 'string' && reason.length <= REASON_LIMIT ? reason : undefined;
  } catch {
    return undefined;
  }
}
