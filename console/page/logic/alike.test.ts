import { expect, test } from '@jest/globals';
import type { ChangedDocument } from '../../history.ts';
import { groupAlike, kindText } from './alike.ts';

test('groups documents that were changed alike, in order, and leaves others alone', () => {
  const changed = (id: string, changes: Partial<ChangedDocument> = {}): ChangedDocument => ({
    kind: 'flag',
    id,
    isNew: false,
    action: 'turned off',
    differences: [{ path: 'isEnabled', before: true, after: false }],
    moreDifferences: 0,
    ...changes,
  });
  const groups = groupAlike(
    [
      changed('a'),
      changed('b', { action: 'edited', differences: [{ path: 'name', before: 'b', after: 'B' }] }),
      changed('c'),
      changed('d', { kind: 'segment' }),
      changed('e', { moreDifferences: 1 }),
      changed('f', { isNew: true, action: 'created', differences: [] }),
      changed('g', { isNew: true, action: 'created', differences: [] }),
    ],
    ({ differences }) =>
      differences.map(({ path, before, after }) => ({ label: path, before: `${before}`, after: `${after}` })),
  );
  expect(groups.map((group) => `${kindText(group)} ${group.documents.map(({ id }) => id)}`)).toEqual([
    'flags a,c',
    'flag b',
    'segment d',
    'flag e',
    'flags f,g',
  ]);
  expect(groups[0]?.changes).toEqual([{ label: 'isEnabled', before: 'true', after: 'false' }]);
});
