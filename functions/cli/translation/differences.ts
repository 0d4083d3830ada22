import type { Flag } from '../../../shared/flags/flag.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import type { Segment } from '../../../shared/flags/segment.ts';

/** What of a document is not quite what another service means by the same. */
export function differencesOf(document: Flag | Segment): ReadonlySet<string> {
  const conditions = document.rules.flatMap((rule): readonly Condition[] => rule.conditions);
  const isDrawn =
    'fallthrough' in document &&
    [document.fallthrough, ...document.rules].some(({ variations }) => variations.length > 1);
  const drawn = isDrawn ? ['has percentages: other users are drawn for them'] : [];
  return new Set([...drawn, ...conditions.flatMap(differencesOfCondition)]);
}

function differencesOfCondition({ property, op, value }: Condition): readonly string[] {
  if (/^(Less|Bigger)/.test(op ?? '')) return ['compares numbers: it does not hold for what is missing, or no number'];
  const isNegative = property === 'name' && (/^Not/.test(op ?? '') || (op === 'Equal' && value === ''));
  return isNegative ? ['asks what the name is not: it does not hold where there is none'] : [];
}
