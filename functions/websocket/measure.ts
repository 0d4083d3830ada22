import { type MetricValues, recordMetrics } from '../telemetry/metrics.ts';
import type { WebSocketEvent, WebSocketResult } from './event.ts';

/**
 * Handles one message, and records its size and the time it took.
 *
 * @param handle may add values of its own
 */
export async function measureMessage(
  { body = '' }: WebSocketEvent,
  now: () => number,
  handle: (values: MetricValues) => Promise<WebSocketResult>,
): Promise<WebSocketResult> {
  const startedAt = now();
  const values: MetricValues = {};
  try {
    return await handle(values);
  } finally {
    recordMetrics({
      'websocket.messages.processed': 1,
      'websocket.messages.size': Buffer.byteLength(body),
      'websocket.messages.duration': now() - startedAt,
      ...values,
    });
  }
}
