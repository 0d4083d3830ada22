import type { Random } from '../random.ts';
import { mutatedJson } from './values.ts';

/** A user as SDKs send it. */
export const USER = { keyId: 'u1', name: 'User 1', customizedProperties: [{ name: 'country', value: 'cn' }] };

/** Messages as SDKs send them. */
const MESSAGES: readonly unknown[] = [
  { messageType: 'data-sync', data: { timestamp: 0, user: USER } },
  { messageType: 'data-sync', data: { timestamp: 1_700_000_000_000, user: USER } },
  { messageType: 'data-sync', data: { timestamp: 0 } },
  { messageType: 'ping', data: null },
  { messageType: 'ping', data: {} },
  { messageType: 'echo', data: { number: 1, text: 'x', list: [1, 2, 3] } },
  { messageType: 'rp-agent-status', data: { agentId: 'a', status: '{}' } },
];

/** The text of a message, valid or not. */
export function oddMessage(random: Random): string {
  return mutatedJson(random.pick(MESSAGES), random);
}
