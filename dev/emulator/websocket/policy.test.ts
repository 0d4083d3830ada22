import { describe, expect, test } from '@jest/globals';
import { allows, type PolicyStatement } from './policy.ts';

const arn = 'arn:aws:execute-api:us-east-1:000000000000:abc/streaming/$connect';

const statement = (Effect: string, Resource: string | string[], Action: string | string[] = 'execute-api:Invoke') =>
  ({ Effect, Resource, Action }) satisfies PolicyStatement;

describe('authorizer policy', () => {
  test.each([
    ['exact', [statement('Allow', arn)], true],
    ['wildcards', [statement('Allow', 'arn:aws:execute-api:*:*:abc/*/$connec?', 'execute-api:*')], true],
    ['one of several', [statement('Allow', ['x', '*'], ['x:y', '*'])], true],
    ['action in another case', [statement('Allow', arn, 'execute-api:invoke')], true],
    ['nothing', [], false],
    ['another resource', [statement('Allow', `${arn}x`)], false],
    ['dollar and dots are no wildcards', [statement('Allow', arn.replaceAll(':', '.'))], false],
    ['another action', [statement('Allow', arn, 'execute-api:ManageConnections')], false],
    ['deny wins', [statement('Allow', '*'), statement('Deny', arn)], false],
    ['a deny elsewhere does not', [statement('Allow', '*'), statement('Deny', 'arn:other')], true],
  ])('%s', (_name, statements, expected) => {
    expect(allows(statements, arn)).toBe(expected);
  });
});
