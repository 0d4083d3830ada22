import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { aLoad, aState } from '../testing/staged.ts';
import { readState, writeState } from './state.ts';

const folder = mkdtempSync(join(tmpdir(), 'flagwire-staged-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'deep', 'state.json');
const { parameters } = aState();

test('nothing is there before something was written', () => {
  expect(readState(path, parameters)).toBeUndefined();
});

test('what was written is read, and nothing half written is left', () => {
  const state = aState({ probes: [aLoad()], spentS: 12 });
  writeState(path, aState());
  writeState(path, state);
  expect(readState(path, parameters)).toEqual(state);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test('what loads were measured with must be the same, and is named where it is not', () => {
  expect(() => readState(path, { ...parameters, share: 0.1, hold: 20 })).toThrow(
    `${path} was measured with --share 0.25, --hold 300, and not with --share 0.1, --hold 20: say the same, or choose another --out.`,
  );
});

test('another goal may be gone to, with more tasks', () => {
  const other = { ...parameters, tasks: 9, goal: 10_000 };
  expect(readState(path, other)).toEqual(aState({ parameters: other, probes: [aLoad()], spentS: 12 }));
});

test('a state that cannot be read says so', () => {
  writeFileSync(path, '{"half');
  expect(() => readState(path, parameters)).toThrow(`${path} cannot be read: `);
});
