import { expect, test } from '@jest/globals';
import { acceptDropped } from './acceptDropped.ts';

const dropped = [{ key: 'fargate.count', before: 3, after: undefined, isGroupGone: true }];

test.each([
  ['y', true],
  ['Yes', true],
  ['', false],
  ['n', false],
])('at a terminal the answer %j goes on: %s', async (answer, isAccepted) => {
  const lines: string[] = [];
  const prompt = { isTerminal: true, ask: async () => answer };
  expect(await acceptDropped(dropped, 'flagwire.prod.json', false, (line) => lines.push(line), prompt)).toBe(
    isAccepted,
  );
  expect(lines).toContain('  fargate.count: 3 becomes unset');
  expect(lines).toContain('  The stack of fargate is not deleted. Delete it yourself.');
});

test('an aborted question is a no', async () => {
  const prompt = { isTerminal: true, ask: () => Promise.reject(new Error('Aborted with Ctrl+C')) };
  expect(await acceptDropped(dropped, 'flagwire.prod.json', false, () => {}, prompt)).toBe(false);
});

test('a stack that stays is not said to be left over', async () => {
  const lines: string[] = [];
  const part = [{ key: 'host.tls', before: 'x', after: undefined, isGroupGone: false }];
  await acceptDropped(part, 'flagwire.prod.json', true, (line) => lines.push(line), {
    isTerminal: false,
    ask: async () => '',
  });
  expect(lines.join('\n')).not.toContain('is not deleted');
});

test('nothing is asked where nothing is dropped', async () => {
  const prompt = { isTerminal: true, ask: () => Promise.reject(new Error('asked')) };
  expect(await acceptDropped([], 'flagwire.prod.json', false, () => {}, prompt)).toBe(true);
});
