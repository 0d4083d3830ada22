import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AccessRequest, evaluate, matchesWildcards, type Statement } from './evaluate.ts';

const RESOURCE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Flags';
const VARIABLE = `$\{aws:username}`;
const request: AccessRequest = { action: 'dynamodb:GetItem', resource: RESOURCE };
const READ: Statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: RESOURCE };
const allowing = (changes: Partial<Statement> = {}): Statement => ({ ...READ, ...changes });
const isAllowed = (statement: Statement, context: AccessRequest['context'] = {}) =>
  evaluate([statement], { ...request, context }).allowed;

describe('a statement is about', () => {
  test.each([
    [{ Action: '*' }, true],
    [{ Action: 'dynamodb:get*' }, true],
    [{ Action: ['dynamodb:PutItem', 'dynamodb:GetItem'] }, true],
    [{ Action: 'dynamodb:GetItems' }, false],
    [{ Action: 'dynamodb:Get' }, false],
    [{ Resource: '*' }, true],
    [{ Resource: `${RESOURCE}*` }, true],
    [{ Resource: 'arn:aws:dynamodb:*:*:table/F?ags' }, true],
    [{ Resource: RESOURCE.toLowerCase() }, false],
    [{ Resource: `${RESOURCE}/index/*` }, false],
  ])('%j: %s', (changes, expected) => {
    expect(isAllowed(allowing(changes))).toBe(expected);
  });
});

describe('a condition holds', () => {
  const KEYS = 'dynamodb:LeadingKeys';
  test.each([
    ['StringEquals', 'a', ['a'], true],
    ['StringEquals', 'a*', ['ab'], false],
    ['StringEquals', ['a', 'b'], ['b'], true],
    ['StringEquals', 'a', ['a', 'a'], false],
    ['StringEquals', 'a', undefined, false],
    ['StringLike', 'E#*', ['E#1'], true],
    ['StringLike', 'E.', ['Ex'], false],
    ['ForAllValues:StringLike', ['E#*', 'R'], ['E#1', 'R'], true],
    ['ForAllValues:StringLike', ['E#*', 'R'], ['E#1', 'S'], false],
    ['ForAllValues:StringEquals', 'R', [], true],
    ['ForAllValues:StringEquals', 'R', undefined, true],
    ['Bool', 'TRUE', ['true'], true],
    ['Bool', 'false', ['true'], false],
    ['ArnLike', 'arn:aws:s:r:a:api/*x', ['arn:aws:s:r:a:api/st/x'], true],
    ['ArnLike', 'arn:aws:s:*', ['arn:aws:s:r:a:api'], false],
    ['ArnLike', 'arn:aws:s:r:a:api/*', ['arn:aws:s:r:b:api/x'], false],
  ] as const)('%s %j of %j: %s', (operator, patterns, values, expected) => {
    const statement = allowing({ Condition: { [operator]: { [KEYS]: patterns } } });
    expect(isAllowed(statement, values === undefined ? {} : { [KEYS]: values })).toBe(expected);
  });

  test('when all of its keys and operators hold, keys in any case', () => {
    const Condition = { StringEquals: { 'dynamodb:Select': 'COUNT', 'AWS:SourceAccount': '1' }, Bool: {} };
    const context = { 'dynamodb:Select': ['COUNT'], 'aws:SourceAccount': ['1'] };
    expect(isAllowed(allowing({ Condition }), context)).toBe(true);
    expect(isAllowed(allowing({ Condition }), { ...context, 'aws:SourceAccount': ['2'] })).toBe(false);
  });
});

describe('an unknown part of a policy', () => {
  const unknown: [string, Partial<Statement>][] = [
    ['operator DateEquals', { Condition: { DateEquals: { 'dynamodb:Select': 'x' } } }],
    ['operator StringNotEquals', { Condition: { StringNotEquals: { 'dynamodb:Select': 'x' } } }],
    ['operator BoolIfExists', { Condition: { BoolIfExists: { 'dynamodb:Select': 'x' } } }],
    ['operator ForAnyValue:Bool', { Condition: { 'ForAnyValue:Bool': { 'dynamodb:Select': 'x' } } }],
    ['condition key aws:PrincipalTag/x', { Condition: { StringEquals: { 'aws:PrincipalTag/x': 'y' } } }],
    [`variable ${VARIABLE}`, { Condition: { StringEquals: { 'dynamodb:LeadingKeys': VARIABLE } } }],
    ['element NotAction', { NotAction: 'x' } as Partial<Statement>],
  ];
  test.each(unknown)('%s: allows nothing, and is named', (name, changes) => {
    const decision = evaluate([allowing(changes)], request);
    expect(decision).toEqual({ allowed: false, explicit: false, unknown: [name] });
  });

  test.each(unknown)('%s: denies where a statement denies', (name, changes) => {
    const decision = evaluate([allowing(), allowing({ ...changes, Effect: 'Deny' })], request);
    expect(decision).toEqual({ allowed: false, explicit: true, unknown: [name] });
  });
});

describe('by law', () => {
  const statements = fc.array(
    fc.record({
      Effect: fc.constantFrom('Allow', 'Allow', 'Deny'),
      Action: fc.constantFrom('*', 'dynamodb:*', 'dynamodb:GetItem', 'dynamodb:PutItem'),
      Resource: fc.constantFrom('*', RESOURCE, 'arn:other'),
      Condition: fc.constantFrom(
        {},
        { Bool: { 'aws:SecureTransport': 'true' } },
        { Odd: { 'aws:SecureTransport': '1' } },
      ),
    }),
    { maxLength: 6 },
  );
  const allowed = (list: readonly Statement[]) =>
    evaluate(list, { ...request, context: { 'aws:SecureTransport': ['true'] } }).allowed;

  test('the order of statements does not matter', () => {
    fc.assert(fc.property(statements, (list) => expect(allowed(list.toReversed())).toBe(allowed(list))));
  });

  test('one more statement that denies never allows, and one that allows never denies', () => {
    fc.assert(
      fc.property(statements, statements, (list, more) => {
        const of = (effect: string) => more.filter(({ Effect }) => Effect === effect);
        if (!allowed(list)) expect(allowed([...list, ...of('Deny')])).toBe(false);
        if (allowed(list)) expect(allowed([...list, ...of('Allow')])).toBe(true);
      }),
    );
  });

  test('a text without wildcards matches itself alone', () => {
    const text = fc.string().filter((value) => !/[*?]/.test(value));
    fc.assert(fc.property(text, text, (a, b) => expect(matchesWildcards(a, b)).toBe(a === b)));
    fc.assert(fc.property(fc.string(), (value) => expect(matchesWildcards('*', value)).toBe(true)));
  });
});

describe('the policy of an authorizer', () => {
  const arn = 'arn:aws:execute-api:us-east-1:000000000000:abc/streaming/$connect';
  const policy = (Effect: string, Resource: string | string[], Action: string | string[] = 'execute-api:Invoke') => ({
    Effect,
    Resource,
    Action,
  });

  test.each([
    ['the exact ARN', [policy('Allow', arn)], true],
    ['wildcards', [policy('Allow', 'arn:aws:execute-api:*:*:abc/*/$connec?', 'execute-api:*')], true],
    ['one of several', [policy('Allow', ['x', '*'], ['x:y', '*'])], true],
    ['an action in another letter case', [policy('Allow', arn, 'execute-api:invoke')], true],
    ['no statement', [], false],
    ['another resource', [policy('Allow', `${arn}x`)], false],
    ['dots in place of colons', [policy('Allow', arn.replaceAll(':', '.'))], false],
    ['another action', [policy('Allow', arn, 'execute-api:ManageConnections')], false],
    ['a deny of the same resource', [policy('Allow', '*'), policy('Deny', arn)], false],
    ['a deny of another resource', [policy('Allow', '*'), policy('Deny', 'arn:other')], true],
  ])('with %s is evaluated as in IAM', (_name, statements, expected) => {
    expect(evaluate(statements, { action: 'execute-api:Invoke', resource: arn }).allowed).toBe(expected);
  });
});
