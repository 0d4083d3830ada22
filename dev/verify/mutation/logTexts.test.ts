import { expect, test } from '@jest/globals';
import { reasonToIgnore } from './logTexts.ts';

const call = (object: string) => ({
  node: { type: 'CallExpression', callee: { type: 'MemberExpression', object: { name: object } } },
});

test.each([
  ['StringLiteral', 'log'],
  ['TemplateLiteral', 'log'],
  ['StringLiteral', 'limited'],
])('a %s handed to %s is left as it is', (type, log) => {
  expect(reasonToIgnore({ node: { type }, parentPath: call(log) })).toBe('a text of the log');
});

test.each([
  ['fields beside it', { node: { type: 'ObjectExpression' }, parentPath: call('log') }],
  ['a text handed to something else', { node: { type: 'StringLiteral' }, parentPath: call('metrics') }],
  [
    'a text that is handed nowhere',
    { node: { type: 'StringLiteral' }, parentPath: { node: { type: 'ReturnStatement' } } },
  ],
  ['the program', { node: { type: 'Program' }, parentPath: null }],
])('%s: mutated', (_, place) => {
  expect(reasonToIgnore(place)).toBeUndefined();
});
