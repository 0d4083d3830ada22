import { expect, test } from '@jest/globals';
import { describeStoreError } from './describeStoreError.ts';
import { NotFound } from './errors.ts';

const named = (name: string, message = 'whatever AWS says') => Object.assign(new Error(message), { name });

test.each([
  [named('CredentialsProviderError'), /set AWS_PROFILE/],
  [named('ExpiredTokenException'), /sign in again \(ExpiredTokenException\)/],
  [named('ResourceNotFoundException'), /check FLAGS_TABLE.*AWS_REGION/],
  [
    named('ValidationException', "Value 'x' at 'tableName' failed to satisfy constraint: at least 3 characters"),
    /^the table does not exist; check FLAGS_TABLE/,
  ],
  [named('ValidationException', 'TableName must be at least 3 characters long'), /check FLAGS_TABLE/],
  [named('AccessDeniedException'), /read and write access/],
  [
    named(
      'AccessDeniedException',
      'User: arn:aws:sts::123456789012:assumed-role/viewer/ann is not authorized to perform: dynamodb:PutItem on resource: ' +
        'arn:aws:dynamodb:eu-west-1:123456789012:table/Flags because no identity-based policy allows the dynamodb:PutItem action',
    ),
    /^these AWS credentials do not allow dynamodb:PutItem on arn:aws:dynamodb:eu-west-1:123456789012:table\/Flags; ask/,
  ],
  [
    named('AccessDenied', 'User: u is not authorized to perform: cloudwatch:GetMetricData because no policy allows it'),
    /^these AWS credentials do not allow cloudwatch:GetMetricData; ask/,
  ],
  [named('ThrottlingException'), /try again in a moment/],
  [new Error('Region is missing'), /set AWS_REGION/],
  [new Error('connect ECONNREFUSED 127.0.0.1:1'), /^127.0.0.1:1 cannot be reached .*npm start/],
  [new Error('read ECONNRESET'), /^the table cannot be reached .*npm start/],
  [
    named('CredentialsProviderError', 'Error: getaddrinfo ENOTFOUND portal.sso.eu-west-1.amazonaws.com'),
    /^the host name portal.sso.eu-west-1.amazonaws.com cannot be resolved \(ENOTFOUND\); check AWS_REGION and the network$/,
  ],
  [new NotFound('there is no flag "x"'), /^there is no flag "x"$/],
  [new NotFound('there is no flag "ECONNREFUSED"'), /^there is no flag "ECONNREFUSED"$/],
  [new Error('something else'), /^something else$/],
  ['no error at all', /^no error at all$/],
])('%s is told with the way out', (error, advice) => {
  expect(describeStoreError(error)).toMatch(advice);
});
