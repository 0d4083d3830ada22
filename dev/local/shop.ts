import { parseCondition } from '../../shared/describe/conditionText.ts';
import type { Document } from '../../shared/flags/document.ts';
import { newFlag, withRollout } from '../../shared/flags/edits/flagEdits.ts';
import type { Flag, VariationType } from '../../shared/flags/flag.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';

type Pair = readonly [string, string];
const { uuid, now } = systemEffects;

/**
 * The flags and segments of a shop, for two environments. In production, the new checkout is off. Conditions use only `=` and `in`:
 * with others, FeatBit's Node SDK throws for a user without the attribute.
 */
export function shopDocuments() {
  const segments = [segment('beta', 'Beta', 'plan = beta'), segment('staff', 'Staff', 'role = staff')];
  const checkout = flag('new-checkout', 'boolean', ['true', 'false'], ['Beta and staff', 'in segment beta,staff'], 25);
  const others = [
    flag('search-ranking', 'string', ['semantic', 'classic'], ['Beta', 'in segment beta'], 80),
    flag('banner-text', 'string', ['Gratisversand', 'Free shipping'], ['Germany', 'country = de'], 100),
    flag('rate-limits', 'json', ['{"perMinute":600}', '{"perMinute":60}'], ['Paid plans', 'plan in pro,beta'], 100),
  ];
  const documents = (isEnabled: boolean) => [
    ...segments.map((document): Document => ({ kind: 'segment', document })),
    ...[{ ...checkout, isEnabled }, ...others].map((document): Document => ({ kind: 'flag', document })),
  ];
  return { development: documents(true), production: documents(false) };
}

/** A segment of the users who match a condition. */
function segment(id: string, name: string, condition: string): Segment {
  const rules = [{ id: uuid(), name: 'Rule 1', conditions: [{ id: uuid(), ...parseCondition(condition) }] }];
  const parsed = parseSegment({ id, name, rules, updatedAt: formatTimestamp(now()) });
  if (!parsed.ok) throw new Error(`segment ${id} is not valid`);
  return parsed.value;
}

/** A flag that is on. Users who match the rule get the first value, and of the others a percentage the last. */
function flag(key: string, variationType: VariationType, values: Pair, [name, condition]: Pair, last: number): Flag {
  const shares = [`${values[1]}=${last}`, `${values[0]}=${100 - last}`];
  const made = withRollout(newFlag(uuid, { key, name: key, variationType, values }), { shares });
  const rule = { ...made.fallthrough, id: uuid(), name, conditions: [{ id: uuid(), ...parseCondition(condition) }] };
  const updatedAt = formatTimestamp(now());
  return withRollout({ ...made, rules: [rule], isEnabled: true, updatedAt }, { shares: [values[0]] }, rule);
}
