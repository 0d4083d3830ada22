import type { ReplyFormat, ReplyItem } from '../../shared/delivery/format.ts';
import { MESSAGE_LIMIT_BYTES } from '../../shared/delivery/reply.ts';
import { log } from '../telemetry/log.ts';

/**
 * A message with one changed item.
 *
 * @returns undefined, after a line in the log, when no message can carry it: everything else goes on without it
 */
export function patchWith(item: ReplyItem, format: ReplyFormat, envId: string): string | undefined {
  const message = format.wrap('patch', [item]);
  if (Buffer.byteLength(message) <= MESSAGE_LIMIT_BYTES) return message;
  log.error(`${item.kind} "${item.id}" is too large to push; an SDK that polls over HTTP has it`, { envId });
  return undefined;
}
