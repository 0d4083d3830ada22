import { Logger } from '@aws-lambda-powertools/logger';
import type { InvalidCondition } from '../../shared/evaluation/snapshot.ts';

/** The log of all entry points: one JSON object a line. Never hand it a secret, a token or a message's content. */
export const log = new Logger({ serviceName: 'flagwire' });

/** The most characters of a caller's text in a field of a line. */
const TEXT_LIMIT = 200;
/** The same for the message of an invalid condition, which may quote a flag or segment. */
const PROBLEM_LIMIT = 1_000;

/**
 * A caller's text in a form that is safe to log: cut to the limit, with its length where it was cut, and with control,
 * formatting and unassigned characters, which could mislead a terminal or a reader, as `\u{…}`.
 *
 * @param limit in UTF-16 units, before anything is escaped
 */
export function printable(text: string, limit = TEXT_LIMIT): string {
  const shown = text
    .slice(0, limit)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}

/** Warns of conditions that do not do what their author meant. */
export function logInvalidConditions(envId: string, invalidConditions: readonly InvalidCondition[]): void {
  for (const { kind, id, path, message } of invalidConditions) {
    log.warn(path === '' ? 'document cannot be read' : 'invalid condition', {
      envId,
      kind,
      id: printable(id),
      path: printable(path),
      reason: printable(message, PROBLEM_LIMIT),
    });
  }
}
