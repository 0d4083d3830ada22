import { expect, test } from '@jest/globals';
import { listSettings, valueAt } from './settingsList.ts';

test('every setting is described', () => {
  for (const { key, description } of listSettings())
    expect([key, description]).toEqual([key, expect.stringMatching(/.{10}/)]);
});

test('groups come before what is in them', () => {
  const keys = listSettings().map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['domain', 'domain.name', 'host.loadGenerator.instanceType']));
  expect(keys.indexOf('host')).toBeLessThan(keys.indexOf('host.loadGenerator'));
});

test('a value is found by its key', () => {
  expect(valueAt({ domain: { name: 'a' } }, 'domain.name')).toBe('a');
  expect(valueAt({}, 'domain.name')).toBeUndefined();
});
