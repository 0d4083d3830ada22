import { expect, test } from '@jest/globals';
import { createDynamoDb } from '../store/table/table.ts';
import { namedRegion, useNamedRegion } from './awsRegion.ts';

test.each([
  [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-1'],
  [{ AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-2'],
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-2'],
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: '' }, undefined],
  [{}, undefined],
])('the region of %j is %s', (given: NodeJS.ProcessEnv, region) => {
  expect(namedRegion(given)).toBe(region);
  const env = { ...given };
  useNamedRegion(env);
  expect(env['AWS_REGION']).toBe(region);
});

test('a client of the SDK uses AWS_DEFAULT_REGION', async () => {
  const before = process.env['AWS_REGION'];
  process.env['AWS_REGION'] = '';
  process.env['AWS_DEFAULT_REGION'] = 'eu-west-2';
  try {
    useNamedRegion();
    const client = createDynamoDb();
    expect(await client.config.region()).toBe('eu-west-2');
    client.destroy();
  } finally {
    delete process.env['AWS_DEFAULT_REGION'];
    if (before === undefined) delete process.env['AWS_REGION'];
    else process.env['AWS_REGION'] = before;
  }
});
