import { replyTo } from '../../shared/delivery/reply.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { type User, userDocument } from '../../shared/flags/user.ts';
import { Subscription } from '../processor.mjs';
import type { Settings } from '../scenarios/settings.ts';

/** A message with a client's flags. */
interface FlagMessage {
  readonly messageType?: string;
  readonly data?: {
    readonly eventType?: string;
    readonly userKeyId?: string;
    readonly featureFlags?: readonly { readonly id: string; readonly variation: unknown }[];
  };
}

/** Returns the error in the first reply of a connection. Undefined if it is correct. */
export type Check = (user: User, answer: string) => string | undefined;

/**
 * Checks replies by evaluating the environment's flags locally. A reply with another text is parsed, because another server may use
 * another order.
 */
export function checkAgainst(environment: Settings['environment']): Check {
  if (!environment) return (user, answer) => findProblem(user, answer);
  const snapshot = compileSnapshot({ ...environment, version: 0 });
  return (user, answer) => {
    const expected = replyTo(snapshot, 'client', { timestamp: 0, user }).text();
    return answer === expected ? undefined : findProblem(user, answer, JSON.parse(expected));
  };
}

/** The flags of a user, each of which is checked in the reply. */
export class CheckedSubscription extends Subscription {
  readonly #check: (answer: string) => string | undefined;

  constructor(user: User, check: Check) {
    super(userDocument(user));
    this.#check = (answer) => check(user, answer);
  }

  override answer(text: string): string | undefined {
    return this.#check(text) ?? super.answer(text);
  }
}

function findProblem(user: User, answer: string, expected?: FlagMessage): string | undefined {
  let received: FlagMessage;
  try {
    received = JSON.parse(answer);
  } catch {
    return 'an answer is not JSON';
  }
  const { messageType, data } = received;
  if (messageType !== 'data-sync' || data?.eventType !== 'full') return 'an answer is no full data-sync';
  if (data.userKeyId !== user.keyId) return 'an answer is for somebody else';
  if (!expected) return undefined;
  const flags = new Map(data.featureFlags?.map(({ id, variation }) => [id, variation]));
  for (const { id, variation } of expected.data?.featureFlags ?? []) {
    if (!flags.has(id)) return 'an answer lacks a flag';
    if (flags.get(id) !== variation) return 'an answer has a wrong variation';
  }
  return flags.size === expected.data?.featureFlags?.length ? undefined : 'an answer has a flag too many';
}
