import { Logger } from '@aws-lambda-powertools/logger';
import type { InvalidCondition } from '../../shared/evaluation/invalidCondition.ts';
import { printable } from '../../shared/protocol/printable.ts';
import { recordMetrics } from './metrics.ts';

/** The log of all entry points: one JSON object a line. Never hand it a secret, a token or a message's content. */
export const log = new Logger({ serviceName: 'flagwire' });

/** The most characters of the message of an invalid condition, which may quote a flag or segment. */
const PROBLEM_LIMIT = 1_000;

/** Warns of conditions that do not do what their author meant, and of documents that SDKs do not receive. */
export function logInvalidConditions(envId: string, invalidConditions: readonly InvalidCondition[]): void {
  for (const { kind, id, path, message } of invalidConditions) {
    log.warn(path === '' ? 'document not sent to SDKs' : 'invalid condition', {
      envId,
      kind,
      id: printable(id),
      path: printable(path),
      reason: printable(message, PROBLEM_LIMIT),
    });
  }
  const unsent = invalidConditions.filter(({ path }) => path === '').length;
  if (unsent > 0) recordMetrics({ 'push.unreadable': unsent });
}
