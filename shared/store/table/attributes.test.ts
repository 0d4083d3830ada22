import { expect, test } from '@jest/globals';
import { numberIn, textIn } from './attributes.ts';

const item = { text: { S: 'a' }, number: { N: '12' } };

test('reads an attribute as text or number, and any other as empty or 0', () => {
  expect(['text', 'number', 'none'].map((name) => textIn(item, name))).toEqual(['a', '', '']);
  expect(['text', 'number', 'none'].map((name) => numberIn(item, name))).toEqual([0, 12, 0]);
});
