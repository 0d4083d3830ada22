import { parseFlag } from '../flags/flag.ts';
import { formatProblem, type ParseResult } from '../flags/problem.ts';
import { parseSegment } from '../flags/segment.ts';
import type { Document } from '../flags/document.ts';
import flags from './flags.json' with { type: 'json' };
import segments from './segments.json' with { type: 'json' };

/** The environment of FeatBit's published benchmark: five flags, and two segments that the flags refer to. */
export function referenceDocuments(): Document[] {
  return [
    ...segments.map((segment): Document => ({ kind: 'segment', document: valid(parseSegment(segment)) })),
    ...flags.map((flag): Document => ({ kind: 'flag', document: valid(parseFlag(flag)) })),
  ];
}

function valid<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`the reference data is invalid: ${result.problems.map(formatProblem).join('; ')}`);
  return result.value;
}
