import type { MessageLimit } from '../../shared/delivery/patch.ts';
import { MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { log } from '../telemetry/log.ts';

/** API Gateway's size limit for a patch. A larger change is logged; only SDKs that poll over HTTP get it. */
export function messageLimit(envId: string): MessageLimit {
  return {
    bytes: MESSAGE_LIMIT_BYTES,
    onTooLarge: ({ item: { kind, id }, message }) =>
      log.error('change not pushed: it is too large for a message', { envId, kind, id, reason: message }),
  };
}
