import { afterEach, expect, test } from '@jest/globals';
import { inEnvironment, playEnvironments } from './environment.ts';

let end = () => {};
afterEach(() => {
  end();
  delete process.env['FW_TEST'];
});

test('an instance sees its own variables, and none of others; everybody else what there was', () => {
  process.env['FW_TEST'] = 'of the process';
  end = playEnvironments(['FW_TEST']);
  expect(process.env['FW_TEST']).toBe('of the process');
  expect(inEnvironment({ FW_TEST: 'own' }, () => process.env['FW_TEST'])).toBe('own');
  expect(inEnvironment({}, () => 'FW_TEST' in process.env)).toBe(false);
});

test('a variable can be set, and stays when that ends', () => {
  end = playEnvironments([]);
  process.env['FW_TEST'] = 'new';
  expect(process.env['FW_TEST']).toBe('new');
  end();
  expect(process.env['FW_TEST']).toBe('new');
});
