/**
 * Something wrong with a document, with its path.
 *
 * A document with an `error` is not stored. One with a `warning` is stored: what the warning is about has no effect, or not
 * the effect that its author meant, and everything else is evaluated as usual.
 */
export interface Problem {
  /** Where it is, from the document's root: `rules[0].conditions[1].value`; empty for the root itself. */
  readonly path: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** A problem as one line: `rules[0].conditions[1].value: is not a valid regular expression …`. */
export function formatProblem(problem: Problem): string {
  return problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`;
}

/** The result of reading a document in which these problems were found. */
export function parsed<T>(value: T, problems: readonly Problem[]): ParseResult<T> {
  return problems.some(({ severity }) => severity === 'error')
    ? { ok: false, problems }
    : { ok: true, value, problems };
}

/** The result of reading a document: the document, or the errors; warnings in both cases. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
