import { markedValue } from '../../dev/support/sdkModel/message.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { aCondition, aFlag, aRollout, aRule, share } from '../../shared/testing/builders.ts';

/** Possible values of a user's attribute `plan`. */
export const PLANS = ['a', 'b', 'c', 'd'];

/** A flag that evaluates to the user's plan. */
export function planFlag(key: string, name: string, valueBytes: number): Flag {
  const variations = PLANS.map((plan) => ({ id: plan, name: plan, value: markedValue('x'.repeat(valueBytes), plan) }));
  const rules = PLANS.map((plan) => aRule([aCondition('plan', 'Equal', plan)], { ...aRollout(share(plan)), id: plan }));
  return aFlag({
    key,
    name,
    variationType: 'string',
    variations,
    rules,
    disabledVariationId: 'a',
    fallthrough: aRollout(share('a')),
  });
}
