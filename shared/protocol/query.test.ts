import { expect, test } from '@jest/globals';
import { queryValues } from './query.ts';

test('a query gives a name several values, whatever its letter case, in order and as they are', () => {
  const query = [...new URLSearchParams('Type=A&other=x&tYPE=b&type=&typed=y')];
  expect(queryValues(query, 'type')).toEqual(['A', 'b', '']);
  expect(queryValues(query, 'token')).toEqual([]);
});
