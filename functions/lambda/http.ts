import { handle } from 'hono/aws-lambda';
import { openKnownKeys } from '../../shared/store/authenticate.ts';
import { createApp } from '../http/app.ts';
import { createInsightStream } from '../http/insightStream.ts';
import { snapshotsFromEnv } from './answeringFromEnv.ts';
import { flagsFromEnv, requireEnv } from './fromEnv.ts';
import { usageFromEnv } from './usageFromEnv.ts';

/** How long readiness waits for the table, in milliseconds, as in FeatBit. */
const READINESS_TIMEOUT_MS = 5_000;

const flags = flagsFromEnv();

/** The HTTP endpoints behind an HTTP API (payload format 2.0). */
export const handler = handle(
  createApp({
    ...openKnownKeys(flags),
    snapshots: snapshotsFromEnv(flags),
    insights: createInsightStream(requireEnv('INSIGHT_STREAM'), flags.effects),
    ...usageFromEnv(flags.effects),
    checkReadiness: () => flags.check(READINESS_TIMEOUT_MS),
    now: flags.effects.now,
  }).app,
);
