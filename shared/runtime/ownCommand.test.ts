import { afterEach, expect, test } from '@jest/globals';
import { ownCommand } from './ownCommand.ts';

afterEach(() => {
  globalThis.IN_PACKAGE = undefined;
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
