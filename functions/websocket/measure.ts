import { type MetricValues, recordMetrics } from '../telemetry/metrics.ts';
import type { WebSocketResult } from './event.ts';

/** Handles one message and records its metrics, also if `handle` throws. */
export async function measureMessage(
  handle: (values: MetricValues) => Promise<WebSocketResult>,
): Promise<WebSocketResult> {
  const values: MetricValues = {};
  try {
    return await handle(values);
  } finally {
    recordMetrics(values);
  }
}
