import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import { type Document, documentId } from '../../../shared/flags/document.ts';
import { parseDocument } from '../../../shared/flags/parseDocument.ts';
import type { Problem } from '../../../shared/flags/problem.ts';
import type { Segment } from '../../../shared/flags/segment.ts';

/** Problems of a document: of the schema, and of its compiled conditions. @param segments of its environment */
export function problemsOf({ kind, document }: Document, segments: readonly Segment[]): Problem[] {
  const result = parseDocument(kind, document);
  if (!result.ok) return [...result.problems];
  const read = result.value;
  const others = segments.filter(({ id }) => read.kind === 'flag' || id !== read.document.id);
  const { invalidConditions } = compileSnapshot({
    envId: '',
    version: 0,
    // Turned on, because rules are compiled only for flags that are on.
    flags: read.kind === 'flag' ? [{ ...read.document, isEnabled: true }] : [],
    segments: read.kind === 'segment' ? [...others, read.document] : others,
  });
  const own = invalidConditions.filter((each) => each.kind === kind && each.id === documentId(read));
  return [...result.problems, ...own.map(({ path, message }): Problem => ({ path, message, severity: 'warning' }))];
}

/** Formats a problem with numbers from 1: `rules[0].conditions[1]: …` is “Rule 1, condition 2: …”. */
export function problemText({ path, message }: Problem): string {
  const place = placeText(path);
  const text = place === '' ? message : `${place}: ${message}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a path with numbers from 1: `rules[0].conditions[1]` is “rule 1, condition 2”. */
export function placeText(path: string): string {
  return path
    .replaceAll(/(rule|condition|variation)s\[(\d+)\]/g, (_, what: string, at: string) => `${what} ${Number(at) + 1}`)
    .replaceAll('.', ', ');
}
