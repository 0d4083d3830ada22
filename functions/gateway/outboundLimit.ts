import type { MessageLimit } from '../../shared/delivery/patch.ts';
import { MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';

/** API Gateway's size limit for a message. A flag that is too large for a client-side SDK is logged and counted. */
export function outboundLimit(envId: string): MessageLimit {
  return {
    bytes: MESSAGE_LIMIT_BYTES,
    onTooLarge: ({ kind, id }, bytes) => {
      recordMetrics({ 'push.unreadable': 1 });
      log.error('document not sent to a client-side SDK', { envId, kind, id, bytes, limitBytes: MESSAGE_LIMIT_BYTES });
    },
  };
}
