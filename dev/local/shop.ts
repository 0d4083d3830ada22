import { parseCondition } from '../../shared/evaluation/conditionText.ts';
import type { Document } from '../../shared/flags/document.ts';
import type { Flag, VariationType } from '../../shared/flags/flag.ts';
import { newFlag, withRollout } from '../../shared/flags/flagEdits.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';

const { uuid, now } = systemEffects;

/**
 * The flags and segments of a shop, for two environments. In production, the new checkout is off. Conditions use only `=` and `in`:
 * with others, FeatBit's Node SDK throws for a user without the attribute.
 */
export function shopDocuments() {
  const updatedAt = formatTimestamp(now());
  const flags = [
    flag(
      'new-checkout',
      'boolean',
      ['true', 'false'],
      ['Beta and staff', 'in segment beta,staff'],
      ['false=25', 'true=75'],
    ),
    flag(
      'search-ranking',
      'string',
      ['semantic', 'classic'],
      ['Beta', 'in segment beta'],
      ['semantic=20', 'classic=80'],
    ),
    flag('banner-text', 'string', ['Versandkostenfrei ab 50 €', 'Free shipping from $50'], ['Germany', 'country = de']),
    flag('rate-limits', 'json', ['{"perMinute":600}', '{"perMinute":60}'], ['Paid plans', 'plan in pro,beta']),
  ];
  const segments = [segment('beta', 'Beta', 'plan = beta'), segment('staff', 'Staff', 'role = staff')];
  const documents = (isProduction: boolean) => [
    ...segments.map((each): Document => ({ kind: 'segment', document: { ...each, updatedAt } })),
    ...flags.map((each): Document => {
      const isEnabled = !isProduction || each.key !== 'new-checkout';
      return { kind: 'flag', document: { ...each, isEnabled, updatedAt } };
    }),
  ];
  return { development: documents(false), production: documents(true) };
}

/** A segment of the users who match a condition. */
function segment(id: string, name: string, condition: string): Segment {
  const rules = [{ id: uuid(), name: 'Rule 1', conditions: [{ id: uuid(), ...parseCondition(condition) }] }];
  const parsed = parseSegment({ id, name, rules });
  if (!parsed.ok) throw new Error(`segment ${id} is not valid`);
  return parsed.value;
}

/** A flag. Users who match the rule get the first value, others shares of the values, by default the last. */
function flag(
  key: string,
  variationType: VariationType,
  values: readonly [string, string],
  [name, condition]: readonly [string, string],
  shares: readonly string[] = [values[1]],
): Flag {
  const made = withRollout(newFlag(uuid, { key, name: key, variationType, values }), { shares });
  const rule = { ...made.fallthrough, id: uuid(), name, conditions: [{ id: uuid(), ...parseCondition(condition) }] };
  return withRollout({ ...made, rules: [rule] }, { shares: [values[0]] }, rule);
}
