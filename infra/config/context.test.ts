import { expect, test } from '@jest/globals';
import { ConfigError } from './configError.ts';
import { stageIn } from './context.ts';

test('context names the stage, and dev where it names none', () => {
  expect(stageIn({ stage: 'prod' })).toBe('prod');
  expect(stageIn({ '@aws-cdk/core:anything': true, 'aws:cdk:bundling-stacks': [] })).toBe('dev');
});

test.each([
  ['flagwire:domainName', 'domain.name'],
  ['Flagwire:region', 'region'],
  ['tracing', 'tracing'],
])('refuses %s, and says how %s is set', (key, setting) => {
  const attempt = () => stageIn({ stage: 'prod', [key]: '1' });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(
    `Context ${key} sets nothing: write ${setting} into flagwire.prod.json, or run npm run deploy -- prod --set ${setting}=<value>.`,
  );
});

test('takes a key like stage for it', () => {
  expect(() => stageIn({ stag: 'prod' })).toThrow('Context stag sets nothing: write -c stage=<stage>.');
});
