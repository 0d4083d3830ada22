import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { type ConditionParser, cacheConditions } from './conditionCache.ts';

const { parse } = createRequire(import.meta.url)('dynalite/db/conditionParser') as ConditionParser;
let parses = 0;
const parser: ConditionParser = {
  parse: (...args) => {
    parses += 1;
    return parse(...args);
  },
};
cacheConditions(parser);

/** Parses with and without the cache, and expects equal results. @returns how often the parser read the condition */
function compare(expression: string, attrVals: Record<string, object>, name = 'version'): number {
  const [cached, plain] = [parser.parse, parse].map((read) => {
    const context = {
      attrNames: { '#v': name, '#unused': 'other' },
      attrVals: structuredClone(attrVals),
      unusedAttrNames: { '#v': true, '#unused': true },
      unusedAttrVals: Object.fromEntries(Object.keys(attrVals).map((key) => [key, true])),
      isReserved: () => false,
      compare: (_: string, a: { N: string }, b: { N: string }) => Number(a.N) > Number(b.N),
    };
    parses = 0;
    return { parsed: read(expression, { context }), context: JSON.stringify(context), parses };
  });
  expect(cached?.parsed).toEqual(plain?.parsed);
  expect(cached?.context).toBe(plain?.context);
  return cached?.parses ?? 0;
}

test('a condition with other values is not parsed again', () => {
  const condition = 'attribute_not_exists(#v) OR #v < :v AND (list[0].#v IN (:v, :w))';
  expect(compare(condition, { ':v': { N: '1' }, ':w': { S: 'a' } })).toBe(1);
  expect(compare(condition, { ':v': { N: '2' }, ':w': { S: 'b' } })).toBe(0);
  expect(compare(condition, { ':v': { N: '2' }, ':w': { S: 'b' }, ':unused': { S: 'b' } })).toBe(1);
});

test('a condition is parsed again with another name or another type of a value', () => {
  const condition = 'begins_with(#v, :v)';
  expect(compare(condition, { ':v': { S: '1' } })).toBe(1);
  expect(compare(condition, { ':v': { N: '1' } })).toBe(1);
  expect(compare(condition, { ':v': { S: '1' } }, 'renamed')).toBe(1);
});

test('a condition whose values decide whether it is valid is parsed each time', () => {
  expect(compare('#v BETWEEN :v AND :w', { ':v': { N: '1' }, ':w': { N: '2' } })).toBe(1);
  expect(compare('#v BETWEEN :v AND :w', { ':v': { N: '3' }, ':w': { N: '2' } })).toBe(1);
});
