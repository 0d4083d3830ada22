import { expect, test } from '@jest/globals';
import { commandText, commandWithReason } from './historyText.ts';

test.each([
  ['flags toggle f', 'flags toggle f'],
  ['console: turned on flag f', 'console'],
  ['console: edited flag f (as (we) agreed)', 'console — as (we) agreed'],
  ['console: copied from “staging” (as agreed)', 'console: copied from “staging” — as agreed'],
  ['console: copied from “eu (1)”', 'console: copied from “eu (1)”'],
  ['console: add tag “a (b)” to 2 flags (as (we) agreed)', 'console — as (we) agreed'],
  ['console: archived flag f (as agreed); ended its plan', 'console; ended its plan — as agreed'],
  ['archive f; ended its plan', 'archive f; ended its plan'],
  ['step 1 of 2: console: turned on flag f (launch)', 'step 1 of 2: console — launch'],
  ['console: undid the change of 2030-01-01T00:00:00.000Z', 'console: undid the change of 2030-01-01T00:00:00.000Z'],
])('describes how a change was made: %s', (command, text) => expect(commandText(command)).toBe(text));

test('a reason stays whole behind a line that is cut', () => {
  const reason = `why (${'y'.repeat(194)})`;
  const line = commandWithReason(`console: remove tag “${'x'.repeat(1_000)}” from 3 flags`, reason);
  expect(line.length).toBeLessThanOrEqual(1_000);
  expect(line.endsWith(`x” from 3 flags (${reason})`)).toBe(true);
  expect(commandText(line)).toBe(`console — ${reason}`);
  expect([commandWithReason('on f', undefined), commandWithReason('on f', '')]).toEqual(['on f', 'on f']);
});
