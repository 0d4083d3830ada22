import { type Flag, parseFlag } from '../flags/flag.ts';
import { formatProblem, type ParseResult } from '../flags/problem.ts';
import { parseSegment, type Segment } from '../flags/segment.ts';
import flags from './flags.json' with { type: 'json' };
import segments from './segments.json' with { type: 'json' };

/** The environment of FeatBit's published benchmark: five flags and two segments. */
export function referenceDocuments(): { readonly flags: readonly Flag[]; readonly segments: readonly Segment[] } {
  return { flags: flags.map((flag) => valid(parseFlag(flag))), segments: segments.map((one) => valid(parseSegment(one))) };
}

function valid<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`the reference data is invalid: ${result.problems.map(formatProblem).join('; ')}`);
  return result.value;
}
