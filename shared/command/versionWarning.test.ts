import { expect, test } from '@jest/globals';
import { versionWarning } from './versionWarning.ts';

test.each([
  ['1.2.3', '1.2.3'],
  ['1.2.3', '1.2.0'],
  ['1.2.3', '1.2.4-beta.1'],
])('%s works with a service of version %s', (own, service) => expect(versionWarning(own, service)).toBeUndefined());

test.each([
  ['1.10.0', '1.9.7'],
  ['2.0.0', '1.9.7'],
])('%s and the older service %s: deploy, or install the older version', (own, service) => {
  expect(versionWarning(own, service)).toBe(
    `Flagwire ${service} is deployed, and this program has version ${own}. Deploy the service again, or install flagwire@${service} (docs/packages.md)`,
  );
});

test.each([
  ['1.9.7', '1.10.0'],
  ['1.9.7', '2.0.0'],
])('%s and the newer service %s: install the newer version', (own, service) => {
  expect(versionWarning(own, service)).toBe(
    `Flagwire ${service} is deployed, and this program has version ${own}. Install flagwire@${service} (docs/packages.md)`,
  );
});
