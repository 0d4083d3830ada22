import { afterEach, expect, test } from '@jest/globals';
import { ownCommand, silentCommand } from './ownCommand.ts';

afterEach(() => {
  globalThis.IN_PACKAGE = undefined;
  globalThis.HAS_FLAGS_COMMAND = undefined;
});

test.each([
  ['start', undefined, 'npm start', 'npx flagwire start'],
  ['start', '--port 0', 'npm start -- --port 0', 'npx flagwire start --port 0'],
  ['flags', 'toggle a', 'npm run flags -- toggle a', 'npx flagwire flags toggle a'],
  ['host', undefined, 'npm run host', 'npx flagwire host'],
])('%s with %s is %s in a clone, and %s in the package', (script, args, inClone, inPackage) => {
  expect(ownCommand(script, args)).toBe(inClone);
  globalThis.IN_PACKAGE = true;
  expect(ownCommand(script, args)).toBe(inPackage);
});

test('with the shell command, a command of the CLI is short, in the package too', () => {
  globalThis.HAS_FLAGS_COMMAND = true;
  expect([ownCommand('flags', 'toggle a'), ownCommand('host')]).toEqual(['flags toggle a', 'npm run host']);
  expect(silentCommand('completion zsh')).toBe('npm run --silent flags -- completion zsh');
  globalThis.IN_PACKAGE = true;
  expect(ownCommand('flags')).toBe('flags');
});
