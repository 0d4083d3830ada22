import { NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRollout, aRule, aUser, share } from './builders.ts';
import type { EvaluationCase } from './nodeSdkDeviations.ts';

const asking = (property: string, op: string | null, value: string | null): EvaluationCase => ({
  flag: aFlag({ rules: [aRule([aCondition(property, op, value)])] }),
  user: aUser('u1', { phone: '555-0100', amount: '22abc', limit: 'Infinity', plan: 'pro' }),
  segments: [],
});

const serving = (flag: Parameters<typeof aFlag>[0]): EvaluationCase => ({
  flag: aFlag({ exptIncludeAllTargets: false, ...flag }),
  user: aUser('u1'),
  segments: [],
});

/** For each deviation by name, cases that only it explains. The SDK and the server differ on each. */
export const NODE_SDK_DEVIATION_EXAMPLES: Readonly<Record<string, readonly EvaluationCase[]>> = {
  'archived flags are evaluated': [serving({ isArchived: true })],
  'a condition has another result': [
    asking('phone', 'MatchRegex', '^555'),
    asking('phone', 'NotMatchRegex', '^555'),
    asking('amount', 'BiggerThan', '9'),
    asking('limit', 'LessEqualThan', 'Infinity'),
    asking('gone', 'NotContain', 'x'),
    asking('gone', 'Equal', ''),
    asking('gone', 'IsOneOf', '[""]'),
    asking(' ', 'StartsWith', 'x'),
    asking('plan', 'NotOneOf', 'null'),
    asking('plan', 'NotOneOf', '[1]'),
    asking('plan', 'IsOneOf', '"professional"'),
  ],
  'a rollout by a missing attribute hashes "undefined"': [
    serving({ fallthrough: { ...aRollout(share('on', 0, 0.5), share('off', 0.5, 1)), dispatchKey: 'gone' } }),
  ],
  'a name that was not sent is empty': [asking('name', 'NotEqual', 'bob'), asking('name', 'Equal', '')],
  'a list of segments may hold anything': [asking(NOT_IN_SEGMENT, null, '[1]')],
  'an unknown variation throws or is malformed': [
    serving({ fallthrough: aRollout(share('gone')) }),
    serving({ targetUsers: [{ keyIds: ['u1'], variationId: 'gone' }] }),
    serving({ isEnabled: false, disabledVariationId: 'gone' }),
  ],
  'rules sample experiments by the fallthrough’s setting': [
    serving({ rules: [aRule([], { includedInExpt: true })] }),
    serving({ rules: [aRule([])], fallthrough: { ...aRollout(share('on')), includedInExpt: true } }),
  ],
  'nobody’s bucket makes no event': [serving({ fallthrough: aRollout(), exptIncludeAllTargets: true })],
};
