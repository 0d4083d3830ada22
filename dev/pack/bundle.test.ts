import { expect, test } from '@jest/globals';
import { nameCommands } from './bundle.ts';

test.each([
  ['npm start', 'npx flagwire start'],
  ['npm start -- --host 0.0.0.0', 'npx flagwire start --host 0.0.0.0'],
  ['npm run flags -- list', 'npx flagwire flags list'],
  ['npm run --silent flags -- "$@"', 'npx flagwire flags "$@"'],
  ['run `npm run host`.', 'run `npx flagwire host`.'],
  ['npm run deploy -- prod', 'npm run deploy -- prod'],
  ['npm run flagsmith', 'npm run flagsmith'],
])('in the package, %s is %s', (inClone, inPackage) => expect(nameCommands(inClone)).toBe(inPackage));
