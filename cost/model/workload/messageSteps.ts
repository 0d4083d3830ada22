import { LARGEST_MESSAGE, MESSAGE_STEP } from '../../prices/serviceFacts.ts';

/**
 * How many messages API Gateway counts for an environment's data: one for each begun step of 32 KB. More than fits one
 * message goes out in parts, to server-side SDKs one flag a message (record 6).
 *
 * @param bytesEach of a flag
 */
export function replySteps(type: 'client' | 'server', flags: number, bytesEach: number): number {
  const bytes = flags * bytesEach;
  if (bytes <= LARGEST_MESSAGE || type === 'client') return countSteps(bytes);
  const inFirst = Math.floor(LARGEST_MESSAGE / bytesEach);
  return countSteps(inFirst * bytesEach) + (flags - inFirst) * countSteps(bytesEach);
}

/** Begun steps of one message; an empty one counts as well. */
export function countSteps(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / MESSAGE_STEP));
}
