/**
 * A condition with an unintended effect, or a document that is unreadable or not sent. Such a condition does not
 * compile, names a missing segment, or means something else to FeatBit's server. Everything else is evaluated as usual.
 */
export interface InvalidCondition {
  readonly kind: 'flag' | 'segment';
  /** The flag's key or the segment's id. */
  readonly id: string;
  /** Path of the condition in its document. Empty for an unreadable document, and for one that is not sent. */
  readonly path: string;
  /** The effect of the condition, or why the document is unreadable or not sent. */
  readonly message: string;
}

/** An invalid condition as one line: `flag "f" rules[0].conditions[1] never matches: is not a JSON array …`. */
export function formatInvalidCondition({ kind, id, path, message }: InvalidCondition): string {
  return `${kind} "${id}" ${path === '' ? '' : `${path} `}${message}`;
}
