import { Logger } from '@aws-lambda-powertools/logger';
import { formatInvalidCondition, type InvalidCondition } from '../../shared/evaluation/snapshot.ts';

/** The log of all entry points: one JSON object a line. Never hand it a secret, a token or a message's content. */
export const log = new Logger({ serviceName: 'flagwire' });

/** The most characters of a caller's text in one field of a line. */
const TEXT_LIMIT = 200;
/** The same for what is wrong with a flag or segment, which may quote it. */
const PROBLEM_LIMIT = 1_000;

/**
 * Text that others have chosen, as a line of the log may hold it: cut, its length told where it was, and with control,
 * formatting and unassigned characters, by which a terminal or a reader could be misled, as `\u{…}`.
 *
 * @param limit in UTF-16 units, before anything is escaped
 */
export function printable(text: string, limit = TEXT_LIMIT): string {
  const shown = text
    .slice(0, limit)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}

/** Warns of what of an environment is contained until somebody mends it. */
export function logInvalidConditions(envId: string, invalidConditions: readonly InvalidCondition[]): void {
  for (const invalidCondition of invalidConditions)
    log.warn(printable(formatInvalidCondition(invalidCondition), PROBLEM_LIMIT), { envId });
}
