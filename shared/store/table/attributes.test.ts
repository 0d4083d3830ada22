import { expect, test } from '@jest/globals';
import { numberIn, textIn } from './attributes.ts';

const item = { text: { S: 'a' }, number: { N: '12' } };

test('an attribute is read as text or number, an absent one or one of another type as empty or 0', () => {
  expect(['text', 'number', 'none'].map((name) => textIn(item, name))).toEqual(['a', '', '']);
  expect(['text', 'number', 'none'].map((name) => numberIn(item, name))).toEqual([0, 12, 0]);
});
