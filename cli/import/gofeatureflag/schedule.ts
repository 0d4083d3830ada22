import type { Note } from '../translation/differences.ts';
import { Untranslatable } from '../translation/values.ts';
import type { GoFlag, Rule, Step } from './format.ts';

/** A flag after the steps of its schedule that are due. Later steps are a difference. */
export function afterDueSteps(flag: GoFlag, note: Note, now: number): GoFlag {
  const steps = flag.scheduledRollout ?? [];
  const due = steps.filter(({ date }) => date !== undefined && date <= now);
  if (due.length < steps.length) note({ cause: 'scheduled' });
  return due.toSorted((a, b) => Number(a.date) - Number(b.date)).reduce(afterStep, flag);
}

/** A step changes no other members. */
function afterStep(before: GoFlag, step: Step): GoFlag {
  const { targeting = [], defaultRule, variations = [], experimentation, disable = before.disable } = step;
  return {
    ...before,
    ...(disable !== undefined && { disable }),
    targeting: mergeRules(before.targeting ?? [], targeting),
    ...(defaultRule && { defaultRule: mergeRule(before.defaultRule ?? {}, defaultRule) }),
    variations: merged(before.variations, variations),
    ...(experimentation && { experimentation: { ...before.experimentation, ...experimentation } }),
  };
}

/** Rules of the same name are merged, the last one of a step. Others are added at the end. */
function mergeRules(rules: readonly Rule[], updates: readonly Rule[]): Rule[] {
  if (updates.some(({ name }) => name === '')) throw new Untranslatable('a scheduled rule with an empty name');
  const updateOf = ({ name }: Rule) => updates.findLast((each) => name !== undefined && each.name === name);
  const added = updates.filter(({ name }) => name === undefined || !rules.some((rule) => rule.name === name));
  return [...rules.map((rule) => mergeRule(rule, updateOf(rule) ?? {})), ...added];
}

function mergeRule(before: Rule, update: Rule): Rule {
  const { percentage, progressiveRollout } = update;
  return {
    ...before,
    ...update,
    // A negative percentage removes a variation.
    ...(percentage && { percentage: merged(before.percentage, percentage).filter(([, share]) => share >= 0) }),
    ...(progressiveRollout && {
      progressiveRollout: {
        initial: { ...before.progressiveRollout?.initial, ...progressiveRollout.initial },
        end: { ...before.progressiveRollout?.end, ...progressiveRollout.end },
      },
    }),
  };
}

function merged<T>(before: readonly (readonly [string, T])[] = [], update: readonly (readonly [string, T])[] = []) {
  return [...new Map([...before, ...update])];
}
