import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { aRollout, share } from '../../../../shared/testing/builders.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

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
      const rule = { id: 'r', name: 'a rule', conditions: [condition], ...aRollout(share('broken-false')) };
      const documents = flagDocuments(simpleFlag('broken', { rules: [rule] }), simpleFlag('good'));
      const workspace = await Workspace.create(target(), documents);
      const socket = await openSocket(workspace.url('client'));
      const { data } = await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
      expect(data.featureFlags).toMatchObject([
        { id: 'broken', variation: 'true', matchReason: 'default' },
        { id: 'good', variation: 'true' },
      ]);
      await workspace.toggle('good');
      expect((await socket.next()).data.featureFlags).toMatchObject([{ id: 'good', variation: 'false' }]);
    });
  });
}
