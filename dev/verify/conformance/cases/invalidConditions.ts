import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { Condition, TargetingRule } from '../../../../shared/flags/rule.ts';
import { aRollout, share } from '../../../../shared/testing/builders.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket, untilEnd } from './untilEnd.ts';

/** One broken flag never changes another's result, nor stops a sync. */
export function invalidConditionCases(target: GetTarget): void {
  describe('broken flags beside good ones', () => {
    test.each<[string, Condition]>([
      ['a bad regular expression', { property: 'keyId', op: 'MatchRegex', value: '(' }],
      ['a bad regular expression, negated', { property: 'keyId', op: 'NotMatchRegex', value: '(' }],
      ['a bad list', { property: 'keyId', op: 'NotOneOf', value: 'not-json' }],
      ['a list of numbers', { property: 'keyId', op: 'IsOneOf', value: '[1]' }],
      ['an unknown operator', { property: 'keyId', op: 'Resembles', value: 'u' }],
    ])('%s never matches, and all else is evaluated', async (_name, condition) => {
      const workspace = await Workspace.create(target(), flagDocuments(broken(condition), simpleFlag('good')));
      const socket = await openSocket(workspace.url('client'));
      const { data } = await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
      expect(data.featureFlags).toMatchObject([
        { id: 'broken', variation: 'true', matchReason: 'default' },
        { id: 'good', variation: 'true' },
      ]);
      await workspace.toggle('good');
      expect((await socket.next()).data.featureFlags).toMatchObject([{ id: 'good', variation: 'false' }]);
    });

    test('a missing segment is one without members: what names it goes by the others', async () => {
      const workspace = await Workspace.create(target(), []);
      await workspace.segment('members', { included: ['u1'] });
      const asks = {
        'in-both': ['User is in segment', '["members","nowhere"]'],
        'in-missing': ['User is in segment', '["nowhere"]'],
        'not-in-missing': ['User is not in segment', '["nowhere"]'],
      };
      for (const [key, [property = '', value = '']] of Object.entries(asks)) {
        await workspace.flag(key, (flag) => ({ ...flag, rules: [ruleOf(flag, { property, op: null, value })] }));
      }
      const socket = await openSocket(workspace.url('client'));
      const matched = async (keyId: string) => {
        const { data } = await socket.sync({ timestamp: 0, user: { keyId } });
        const isByRule = ({ matchReason }: { matchReason: string }) => matchReason === 'a rule';
        return data.featureFlags.filter(isByRule).map(({ id }: { id: string }) => id);
      };
      expect(await matched('u1')).toEqual(['in-both', 'not-in-missing']);
      expect(await matched('u2')).toEqual(['not-in-missing']);
    });

    test('an expression may name characters by their numbers', async () => {
      const workspace = await Workspace.create(target(), []);
      const condition = { property: 'name', op: 'MatchRegex', value: '^[\\u4e00-\\u9fa5]+$' };
      await workspace.flag('chinese', (flag) => ({ ...flag, rules: [ruleOf(flag, condition)] }));
      const socket = await openSocket(workspace.url('client'));
      for (const [name, matchReason] of [
        ['中文', 'a rule'],
        ['latin', 'default'],
      ]) {
        const { data } = await socket.sync({ timestamp: 0, user: { keyId: 'u1', name } });
        expect(data.featureFlags).toMatchObject([{ id: 'chinese', matchReason }]);
      }
    });

    test('overlapping, absent and dangling rollouts give what FeatBit’s server would', async () => {
      const flags = flagDocuments(
        simpleFlag('overlapping', {
          fallthrough: aRollout(share('overlapping-false', 0, 1), share('overlapping-true', 0, 1)),
        }),
        simpleFlag('absent', { fallthrough: aRollout() }),
        simpleFlag('dangling', { fallthrough: aRollout(share('nobody', 0, 1)) }),
      );
      const workspace = await Workspace.create(target(), flags);
      const socket = await openSocket(workspace.url('client'));
      const { data } = await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
      expect(data.featureFlags).toMatchObject([
        { id: 'overlapping', variation: 'false' },
        { id: 'absent', variation: '', variationId: '' },
        { id: 'dangling', variation: null, variationId: null },
      ]);
      const sdk = untilEnd(await NodeSdk.start(workspace));
      expect(await sdk.value('overlapping')).toBe('false');
    });
  });
}

function broken(condition: Condition): Flag {
  const flag = simpleFlag('broken');
  return { ...flag, rules: [ruleOf(flag, condition)] };
}

/** A rule that returns `false` for users who match the condition. */
function ruleOf({ key }: Flag, condition: Condition): TargetingRule {
  return { id: 'r', name: 'a rule', conditions: [condition], ...aRollout(share(`${key}-false`)) };
}
