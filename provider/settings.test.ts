import { expect, test } from '@jest/globals';
import { ErrorCode } from '@openfeature/server-sdk';
import type { FlagwireProviderOptions } from './options.ts';
import { readSettings } from './settings.ts';

const ENV_ID = 'b3a0c6c2-0000-4000-8000-00000000000e';
const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Flags';
const env = { FLAGS_TABLE: 'Flags', FLAGS_ENVIRONMENT: ENV_ID, AWS_REGION: 'us-east-1' };

const read = (variables: NodeJS.ProcessEnv = {}, options: FlagwireProviderOptions = {}) =>
  readSettings(options, { ...env, ...variables });

test('two variables and a region suffice', () => {
  expect(read()).toEqual({
    envId: ENV_ID,
    table: { name: 'Flags', id: 'Flags', region: 'us-east-1', endpoint: 'https://dynamodb.us-east-1.amazonaws.com' },
    usageTable: undefined,
    maxAgeMs: 5_000,
    waitMs: 250,
    isConsistent: false,
    missingAttribute: 'empty',
  });
});

test('an ARN names the region of its table, before the option and the variable', () => {
  const { table, usageTable } = read({ FLAGS_TABLE: ARN, FLAGS_USAGE_TABLE: 'Usage' }, { region: 'eu-north-1' });
  const endpoint = 'https://dynamodb.eu-west-1.amazonaws.com';
  expect(table).toEqual({ name: 'Flags', id: ARN, region: 'eu-west-1', endpoint });
  expect(usageTable).toEqual({ name: 'Usage', id: 'Usage', region: 'eu-west-1', endpoint });
  expect(read({}, { region: 'cn-north-1' }).table.endpoint).toBe('https://dynamodb.cn-north-1.amazonaws.com.cn');
});

test('options replace variables', () => {
  const options = { table: 'Other', endpoint: 'http://127.0.0.1:1', missingAttribute: 'no-match', waitMs: 0 } as const;
  const variables = { FLAGS_MISSING_ATTRIBUTE: 'empty', AWS_ENDPOINT_URL_DYNAMODB: 'http://other' };
  expect(read(variables, options)).toMatchObject({
    table: { name: 'Other', endpoint: 'http://127.0.0.1:1' },
    missingAttribute: 'no-match',
    waitMs: 0,
  });
});

test('a wait is not longer than a timer', () => {
  expect(read({}, { waitMs: 1e12 }).waitMs).toBe(2 ** 31 - 1);
});

test.each<[string, NodeJS.ProcessEnv, FlagwireProviderOptions]>([
  ['FLAGS_TABLE is not set; set it, or the option table', { FLAGS_TABLE: '' }, {}],
  ['FLAGS_ENVIRONMENT is not set; set it, or the option environment', { FLAGS_ENVIRONMENT: undefined }, {}],
  ['which `flags env list` prints, but is "production"', { FLAGS_ENVIRONMENT: 'production' }, {}],
  ['FLAGS_TABLE must be the name or the ARN of a table', { FLAGS_TABLE: 'arn:aws:dynamodb:x' }, {}],
  ['FLAGS_USAGE_TABLE must be the name or the ARN', { FLAGS_USAGE_TABLE: 'a b' }, {}],
  ['no AWS region is set; set AWS_REGION', { AWS_REGION: '' }, {}],
  ['FLAGS_MISSING_ATTRIBUTE must be empty or no-match, but is "none"', { FLAGS_MISSING_ATTRIBUTE: 'none' }, {}],
  ['AWS_ENDPOINT_URL_DYNAMODB must be a URL', { AWS_ENDPOINT_URL_DYNAMODB: 'localhost' }, {}],
  ['must be a URL with http:// or https://, but is "localhost:8000"', {}, { endpoint: 'localhost:8000' }],
  ['maxAgeSeconds must be a number of at least 0, but is -1', {}, { maxAgeSeconds: -1 }],
  ['waitMs must be a number of at least 0, but is NaN', {}, { waitMs: Number.NaN }],
])('is fatal: %s', (message, variables, options) => {
  expect(() => read(variables, options)).toThrow(
    expect.objectContaining({ code: ErrorCode.PROVIDER_FATAL, message: expect.stringContaining(message) }),
  );
});
