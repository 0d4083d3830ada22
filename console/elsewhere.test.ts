import { expect, test } from '@jest/globals';
import { elsewhereText, flagState } from './elsewhere.ts';

test('names the environments where a flag is on, else where it is off, at most two', () => {
  expect(elsewhereText([['production', 'off']])).toBe('off in production');
  expect(
    elsewhereText([
      ['production', 'off'],
      ['qa', 'on'],
    ]),
  ).toBe('on in qa');
  const many = Array.from({ length: 20 }, (_, n) => [`env-${n}`, 'on'] as const);
  expect(elsewhereText(many)).toBe('on in env-0, env-1 +18');
});

test('says if a flag is archived or missing in all other environments', () => {
  expect(
    elsewhereText([
      ['production', 'archived'],
      ['qa', undefined],
    ]),
  ).toBe('archived in production');
  expect(elsewhereText([['production', undefined]])).toBe('nowhere else');
});

test('says nothing if no other environment is known', () => {
  expect(elsewhereText([])).toBe('');
});

test.each([
  ['archived', true, true],
  ['on', false, true],
  ['off', false, false],
])('names the state %s', (state, isArchived, isEnabled) => {
  expect(flagState({ isArchived, isEnabled })).toBe(state);
});
