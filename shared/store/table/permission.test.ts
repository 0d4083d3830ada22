import { expect, test } from '@jest/globals';
import { missingPermission, withoutArns } from './permission.ts';

/** An error in AWS's form. @param refused the text after "perform: " */
const denied = (refused: string, name = 'AccessDeniedException') =>
  Object.assign(new Error(`User: arn:aws:iam::1:user/op is not authorized to perform: ${refused}`), { name });

const PUT = { action: 'dynamodb:PutItem', resource: 'arn:aws:dynamodb:eu-west-1:1:table/Flags' };
const REFUSED = `${PUT.action} on resource: ${PUT.resource} because no identity-based policy allows the action`;

test.each(['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation'])(
  '%s names action and resource',
  (name) => {
    expect(missingPermission(denied(REFUSED, name))).toStrictEqual(PUT);
  },
);

test('has no resource if AWS names none', () => {
  expect(missingPermission(denied('sts:AssumeRole'))).toStrictEqual({ action: 'sts:AssumeRole' });
});

test('has no ARN and no account in a text for users of a console', () => {
  expect(
    withoutArns(`User: arn:aws:iam::1:user/op may not read ${PUT.resource}; ask (arn:aws-cn:s3:::b), learn:x`),
  ).toBe('User: … may not read …; ask (…), learn:x');
});

test.each([
  ['an error of another kind', denied(REFUSED, 'ValidationException')],
  ['what is no error', { name: 'AccessDenied', message: denied(REFUSED).message }],
  ['nothing', undefined],
  ['a refusal that names no action', denied('')],
  ['one whose action is not where AWS names it', denied('something such as dynamodb:PutItem')],
  ['one in other words', Object.assign(new Error('dynamodb:PutItem is denied'), { name: 'AccessDenied' })],
])('returns nothing for %s', (_, error) => {
  expect(missingPermission(error)).toBeUndefined();
});
