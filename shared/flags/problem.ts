/**
 * A problem in a document, with its path.
 *
 * A document with an `error` is not stored. One with a `warning` is stored. The part that the warning names has no
 * effect, or not the intended one. Everything else is evaluated as usual.
 */
export interface Problem {
  /** The path from the document's root: `rules[0].conditions[1].value`. Empty for the root. */
  readonly path: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** A problem as one line: `rules[0].conditions[1].value: is not a valid regular expression …`. */
export function formatProblem(problem: Problem): string {
  return problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`;
}

/** The result of parsing a document with these problems. */
export function parsed<T>(value: T, problems: readonly Problem[]): ParseResult<T> {
  return problems.some(({ severity }) => severity === 'error')
    ? { ok: false, problems }
    : { ok: true, value, problems };
}

/** The result of parsing: the document or the errors, and warnings in both cases. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
