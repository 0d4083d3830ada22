import { handle } from 'hono/aws-lambda';
import { checkTable } from '../../shared/store/health.ts';
import { SecretCache } from '../../shared/store/secretCache.ts';
import { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { ambient, tablesFromEnv } from '../environment.ts';
import { logContained } from '../log.ts';
import { createApp } from './app.ts';
import { createInsightStream } from './insightStream.ts';

/** How long readiness waits for the table, as FeatBit's does. */
const READINESS_TIMEOUT_MS = 5_000;

const tables = tablesFromEnv();

/** The HTTP endpoints behind an HTTP API (payload format 2.0). */
export const handler = handle(
  createApp({
    secrets: new SecretCache(tables, ambient),
    snapshots: new SnapshotCache(tables, ambient, logContained),
    insights: createInsightStream(),
    checkReadiness: () => checkTable(tables, READINESS_TIMEOUT_MS),
    now: ambient.now,
  }),
);
