import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FLAG_KEY_PATTERN } from '../../../shared/flags/flag.ts';
import { keyFromName } from './flagKey.ts';

test.each([
  ['New checkout', 'new-checkout'],
  ['  Größe & Maß: 2. Versuch!  ', 'grosse-mass-2.-versuch'],
  ['Kasse_neu', 'kasse_neu'],
  ['新しい', ''],
  ['', ''],
])('suggests for the name “%s” the key “%s”', (name, key) => expect(keyFromName(name)).toBe(key));

test('suggests only valid keys of at most 128 characters, or none', () => {
  const isValid = (key: string) => key === '' || FLAG_KEY_PATTERN.test(key);
  const names = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(fc.property(names, (name) => expect(isValid(keyFromName(name))).toBe(true)));
});
