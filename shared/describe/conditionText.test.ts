import { describe, expect, test } from '@jest/globals';
import { OPERATOR_NAMES } from '../evaluation/compileOperator.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition } from '../testing/builders.ts';
import { formatCondition, parseCondition } from './conditionText.ts';

const read = (text: string) => {
  const { property, op, value } = parseCondition(text);
  return [property, op, value];
};

describe('a condition as people write it', () => {
  test.each([
    ['plan=pro', 'plan', 'Equal', 'pro'],
    ['plan == pro', 'plan', 'Equal', 'pro'],
    ['plan != pro', 'plan', 'NotEqual', 'pro'],
    ['age>18', 'age', 'BiggerThan', '18'],
    ['age >= 18', 'age', 'BiggerEqualThan', '18'],
    ['age<18', 'age', 'LessThan', '18'],
    ['age <= 1e1', 'age', 'LessEqualThan', '1e1'],
    ['email ends-with @acme.com', 'email', 'EndsWith', '@acme.com'],
    ['email ends with @acme.com', 'email', 'EndsWith', '@acme.com'],
    ['email starts-with ann', 'email', 'StartsWith', 'ann'],
    ['name contains the cat', 'name', 'Contains', 'the cat'],
    ['name not contains "the cat "', 'name', 'NotContain', 'the cat '],
    ['country in CN,US', 'country', 'IsOneOf', '["CN","US"]'],
    ['country in CN, "a,b" , US', 'country', 'IsOneOf', '["CN","a,b","US"]'],
    ['country not in ["CN","US"]', 'country', 'NotOneOf', '["CN","US"]'],
    ['keyId matches ^user-\\d+$', 'keyId', 'MatchRegex', '^user-\\d+$'],
    ['keyId not matches bot', 'keyId', 'NotMatchRegex', 'bot'],
    ['beta is true', 'beta', 'IsTrue', ''],
    ['beta is false', 'beta', 'IsFalse', ''],
    ['"home town" = Rome', 'home town', 'Equal', 'Rome'],
    ['plan = ""', 'plan', 'Equal', ''],
    ['plan = >5', 'plan', 'Equal', '>5'],
    ['plan != ""', 'plan', 'NotEqual', ''],
    ['title = "a = b && c"', 'title', 'Equal', 'a = b && c'],
    ['title = war and peace', 'title', 'Equal', 'war and peace'],
    ['city = Portland OR', 'city', 'Equal', 'Portland OR'],
    ['url contains ?a=1&b=2', 'url', 'Contains', '?a=1&b=2'],
    ['url matches ^(a|b)=', 'url', 'MatchRegex', '^(a|b)='],
    ["town = L'Aquila", 'town', 'Equal', "L'Aquila"],
    ['name = Ann "Bo" Li', 'name', 'Equal', 'Ann "Bo" Li'],
    ['country not in []', 'country', 'NotOneOf', '[]'],
    ['name contains ""', 'name', 'Contains', ''],
    ['email not matches ^$', 'email', 'NotMatchRegex', '^$'],
    ['not in segment []', NOT_IN_SEGMENT, null, '[]'],
    ['age BiggerThan 18', 'age', 'BiggerThan', '18'],
    ['in segment beta,staff', IN_SEGMENT, null, '["beta","staff"]'],
    ['user is not in segment beta', NOT_IN_SEGMENT, null, '["beta"]'],
  ])('%s', (text, property, op, value) => {
    expect(read(text)).toEqual([property, op, value]);
  });

  test('every operator has a word that is read back', () => {
    for (const op of OPERATOR_NAMES) {
      const value = op.endsWith('OneOf') ? '["1"]' : op === 'IsTrue' || op === 'IsFalse' ? '' : '1';
      const text = formatCondition({ property: 'a', op, value });
      expect(text).not.toContain(op);
      expect(parseCondition(text)).toEqual({ property: 'a', op, value });
    }
  });

  test('names segments as people do', () => {
    const ids = new Map([['Beta users', 'b1']]);
    const condition = parseCondition('in segment Beta users', (named) => ids.get(named) ?? named);
    expect(condition.value).toBe('["b1"]');
    expect(formatCondition(condition, () => 'Beta users')).toBe('in segment Beta users');
    expect(formatCondition(parseCondition('in segment beta,staff'))).toBe('in segment beta, staff');
  });

  test.each([
    ['plan', 'is not a condition'],
    ['plan pro', 'is not a condition'],
    ['', 'is not a condition'],
    ['= pro', 'is not a condition'],
    ['"User is in segment" = a', 'is not a condition'],
    ['plan =', 'has no value; write ""'],
    ['age > old', '"age > old" would never match: "old" is not a number'],
    ['"age" > "old"', '"age > old" would never match: "old" is not a number'],
    ['age > NaN', 'would never match'],
    ['keyId matches (', 'would never match: "(" is not a regular expression'],
    ['country in ,US', 'separate the values by commas'],
    ['country in [1]', 'is not a JSON array of strings'],
    ['plan = "pro', 'is not a JSON string'],
    ['beta is true now', 'have no value'],
    ['age => 18', '"=>" is not an operator. Write >=, or a space before a value that starts with >'],
    ['age =< 18', '"=<" is not an operator. Write <=,'],
    ['age=<18', '"=<" is not an operator. Write <=,'],
    ['plan === pro', '"===" is not an operator. Write =,'],
    ['plan =! pro', '"=!" is not an operator. Write !=,'],
    ['plan !== pro', '"!==" is not an operator. Write !=,'],
    ['age ==> 18', '"==>" is not an operator. Write >=,'],
    ['age <> 18', '"<>" is not an operator. Write !=,'],
    ['age >> 18', '">>" is not an operator. Write >,'],
    ['plan ! pro', '"!" is not an operator. Write !=,'],
    ['plan =~ pro', '"=~" is not an operator. Write matches,'],
    ['plan !~ pro', '"!~" is not an operator. Write not matches, or a space before a value that starts with ~'],
    ['country in []', '"country in []" would never match: its list is empty'],
    ['country in [null]', 'would never match: its list is empty'],
    ['in segment []', '"in segment []" would never match: it names no segment'],
    ['email not contains ""', 'would never match: every text contains the empty text'],
    ['email not matches ""', 'would never match: every text matches the expression'],
    ['email not matches .*', 'would never match: every text matches the expression'],
    ['age < -Infinity', 'would never match: no number is smaller'],
    ['age > 1e999', 'would never match: no number is larger'],
    ['" " = a', 'would never match: its attribute has no name'],
    ['age = = 18', '"age = = 18" cannot be read at "= 18"'],
    ['plan = =pro', 'cannot be read at "=pro"'],
    ['plan != = pro', 'cannot be read at "= pro"'],
    ['plan contains > 5', 'cannot be read at "> 5"'],
    ['x = 1 && y = 2', 'cannot be read at "&& y = 2": write one condition at a time'],
    ['x = 1 || y = 2', 'cannot be read at "|| y = 2"'],
    ['x=1&&y=2', 'cannot be read at "&&y=2"'],
    ['x = 1 and y = 2', 'cannot be read at "and y = 2"'],
    ['x=1 OR y in a,b', 'cannot be read at "OR y in a,b"'],
    ['x=1 and not in segment beta', 'cannot be read at "and not in segment beta"'],
    ['country in CN,US and plan=pro', 'cannot be read at "and plan=pro"'],
    ['in segment beta and plan=pro', 'cannot be read at "and plan=pro"'],
    ['x = 1, y = 2', 'cannot be read at "= 2"'],
    ['plan = pro &&', 'cannot be read at "&&"'],
    ['plan = pro =', 'cannot be read at "="'],
    ['plan = pro"', 'cannot be read at "\\""'],
    ["plan = 'pro'", `cannot be read at "'pro'"`],
    ["country in 'CN','US'", `cannot be read at "'CN'"`],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseCondition(text)).toThrow(message);
  });

  test('is shown as stored if it was imported and cannot be read', () => {
    expect(formatCondition(aCondition('a', 'Like', 'x'))).toBe('a Like x');
    expect(formatCondition(aCondition('a', 'IsOneOf', 'oops'))).toBe('a in oops');
    expect(formatCondition(aCondition('a', null, null))).toBe('a ? null');
    expect(formatCondition(aCondition(IN_SEGMENT, null, null))).toBe('in segment []');
  });
});
