import { handle } from 'hono/aws-lambda';
import { checkTable } from '../../shared/store/health.ts';
import { SecretCache } from '../../shared/store/secretCache.ts';
import { ambient, tablesFromEnv } from '../environment.ts';
import { snapshotsFromEnv } from '../snapshots.ts';
import { createApp } from './app.ts';
import { createInsightStream } from './insightStream.ts';

/** How long readiness waits for the table, as FeatBit's does. */
const READINESS_TIMEOUT_MS = 5_000;

const tables = tablesFromEnv();

/** The HTTP endpoints behind an HTTP API (payload format 2.0). */
export const handler = handle(
  createApp({
    secrets: new SecretCache(tables, ambient),
    snapshots: snapshotsFromEnv(tables),
    insights: createInsightStream(),
    checkReadiness: () => checkTable(tables, READINESS_TIMEOUT_MS),
    now: ambient.now,
  }),
);
