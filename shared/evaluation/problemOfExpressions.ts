import type { Document } from '../flags/document.ts';
import { DOCUMENT_EXPRESSIONS_LIMIT, expressionsOf } from './expressionLimits.ts';
import { sizeOf } from './readExpression.ts';

/** Why a change of a flag or segment is refused: it leaves more conditions over the limit than there were. Undefined if it does not. */
export function problemOfExpressions(after: Document, before: Document | undefined): string | undefined {
  const overIn = (document: Document | undefined) =>
    document ? expressionsOf(document.document.rules, { sizeOf }).over.size : 0;
  if (overIn(after) <= overIn(before)) return undefined;
  return `its regular expressions have more than ${DOCUMENT_EXPRESSIONS_LIMIT} characters with their repeats written out, the limit of a flag or segment: use lists of values, or fewer and smaller repeats`;
}
