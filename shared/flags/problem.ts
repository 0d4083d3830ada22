/**
 * Something wrong with a document, named so that its author can find and mend it.
 *
 * An `error` keeps the document from being stored. A `warning` is stored and contained: the condition it sits in never
 * matches, and everything else goes on as usual.
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

/** What reading a document came to, by the problems that were found on the way. */
export function parsed<T>(value: T, problems: readonly Problem[]): ParseResult<T> {
  return problems.some(({ severity }) => severity === 'error')
    ? { ok: false, problems }
    : { ok: true, value, problems };
}

/** What reading a document came to: the document, or the reasons why there is none; warnings either way. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
