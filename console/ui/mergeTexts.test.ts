import { expect, test } from '@jest/globals';
import { listMissing, mergeTexts } from './mergeTexts.ts';

test.each([
  ['one', 'bob', ['ann', 'bob'], 1, 0],
  ['a column of a sheet', 'bob\r\ncarl\n\ndave\n', ['ann', 'bob', 'carl', 'dave'], 3, 0],
  ['a row of a sheet', 'bob\tcarl', ['ann', 'bob', 'carl'], 2, 0],
  ['commas and semicolons', ' bob, carl;dave ', ['ann', 'bob', 'carl', 'dave'], 3, 0],
  ['texts with blanks in them', 'bob b,carl', ['ann', 'bob b', 'carl'], 2, 0],
  ['what is there already, and what is given twice', 'ann,bob,bob', ['ann', 'bob'], 1, 2],
  ['nothing', ' ,\n', ['ann'], 0, 0],
])('adds %s', (_, text, items, added, repeated) =>
  expect(mergeTexts(['ann'], text)).toEqual({ items, added, repeated }),
);

test('lists what another list lacks', () => expect(listMissing(['a', 'b', 'c'], ['b'])).toEqual(['a', 'c']));
