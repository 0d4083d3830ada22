import type { Document } from './document.ts';
import { InvalidInput } from './invalidInput.ts';
import { cleanTexts } from './texts.ts';

/**
 * User keys of individual targets and segments, as an operator gives them: trimmed, and each once.
 *
 * @throws {InvalidInput} for a blank one, or one with a control character
 */
export function readUserKeys(keys: readonly string[]): string[] {
  const wanted = cleanTexts(keys);
  if (keys.some((key) => key.trim() === '')) throw new InvalidInput('a user key must not be blank');
  const problem = wanted.map(problemOfUserKey).find((each) => each !== undefined);
  if (problem !== undefined) throw new InvalidInput(problem);
  return wanted;
}

/** User keys to remove: as they are given, and as {@link readUserKeys} reads them. Older documents have untrimmed ones. */
export function userKeysToRemove(keys: readonly string[]): string[] {
  return [...new Set([...cleanTexts(keys), ...keys])];
}

/**
 * A document whose user keys are trimmed, each once and none empty. Those of the document that it replaces stay as they
 * are, because they decide what users get.
 */
export function withCleanUserKeys<D extends Document>(document: D, earlier: Document | undefined): D {
  const known = new Set(userKeysIn(earlier));
  const clean = (keys: readonly string[]) => [
    ...new Set(keys.flatMap((key) => (known.has(key) ? key : key.trim() || []))),
  ];
  if (document.kind === 'segment') {
    const { included, excluded } = document.document;
    return { ...document, document: { ...document.document, included: clean(included), excluded: clean(excluded) } };
  }
  const targetUsers = document.document.targetUsers.map((each) => ({ ...each, keyIds: clean(each.keyIds) }));
  return { ...document, document: { ...document.document, targetUsers } };
}

/** Why the user keys that a document adds are refused. They are clean ({@link withCleanUserKeys}). */
export function problemOfUserKeys(document: Document, earlier: Document | undefined): string | undefined {
  const known = new Set(userKeysIn(earlier));
  const added = userKeysIn(document).filter((key) => !known.has(key));
  return added.map(problemOfUserKey).find((each) => each !== undefined);
}

/** How cleaning changed the user keys of a document, as a clause. Undefined if it did not. */
export function cleanedText(before: Document, after: Document): string | undefined {
  const kept = new Set(userKeysIn(after));
  const cleaned = [...new Set(userKeysIn(before).filter((key) => !kept.has(key)))];
  if (cleaned.length === 0) return undefined;
  const shown = cleaned.slice(0, NAMED).map((key) => JSON.stringify(key));
  const more = cleaned.length > NAMED ? ` and ${cleaned.length - NAMED} more` : '';
  return `space around user keys is removed, and empty ones are left out: ${shown.join(', ')}${more}`;
}

/** User keys in a message. */
const NAMED = 5;

function problemOfUserKey(key: string): string | undefined {
  if (!/\p{Cc}/u.test(key)) return undefined;
  return `a user key must not have control characters, but is ${JSON.stringify(key)}`;
}

function userKeysIn(of: Document | undefined): string[] {
  if (of?.kind === 'flag') return of.document.targetUsers.flatMap(({ keyIds }) => keyIds);
  return of ? [...of.document.included, ...of.document.excluded] : [];
}
