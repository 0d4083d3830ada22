import { handle } from 'hono/aws-lambda';
import { systemEffects } from '../../shared/store/effects.ts';
import { checkTable } from '../../shared/store/health.ts';
import { SecretCache } from '../../shared/store/secretCache.ts';
import { createApp } from '../http/app.ts';
import { createInsightStream } from '../http/insightStream.ts';
import { requireEnv, tablesFromEnv } from './environment.ts';
import { snapshotsFromEnv } from './snapshots.ts';

/** How long readiness waits for the table, as FeatBit's does. */
const READINESS_TIMEOUT_MS = 5_000;

const tables = tablesFromEnv();

/** The HTTP endpoints behind an HTTP API (payload format 2.0). */
export const handler = handle(
  createApp({
    secrets: new SecretCache(tables, systemEffects),
    snapshots: snapshotsFromEnv(tables),
    insights: createInsightStream(requireEnv('INSIGHT_STREAM')),
    checkReadiness: () => checkTable(tables, READINESS_TIMEOUT_MS),
    now: systemEffects.now,
  }),
);
