import { expect, test } from '@jest/globals';
import { queryValues } from './query.ts';

test('returns all values of a name in any letter case, in order and unchanged', () => {
  const query = [...new URLSearchParams('Type=A&other=x&tYPE=b&type=&typed=y')];
  expect(queryValues(query, 'type')).toEqual(['A', 'b', '']);
  expect(queryValues(query, 'token')).toEqual([]);
});
