import { expect, test } from '@jest/globals';
import { aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { duplicateFlag, duplicateSegment } from './duplicate.ts';

test('a duplicate has an id, a key and a name of its own, and all else of the original', () => {
  const flag = aFlag({ rules: [aRule([])], tags: ['a'], isEnabled: true });
  expect(duplicateFlag(flag, () => 'new', { key: 'copy', name: 'Copy' })).toEqual({
    ...flag,
    id: 'new',
    key: 'copy',
    name: 'Copy',
  });
  const segment = aSegment({ included: ['ann'] });
  expect(duplicateSegment(segment, () => 'new', 'Copy')).toEqual({ ...segment, id: 'new', name: 'Copy' });
});
