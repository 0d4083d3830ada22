import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const module = join(import.meta.dirname, 'requireNode.mjs');

test.each([
  ['a Node that reads TypeScript starts the program', [], 0, /^$/],
  [
    'another Node prints one line that names the one it needs',
    ['--no-experimental-strip-types'],
    1,
    /^Flagwire needs Node 22[.]18 or newer, and this is v\S+[.] .*\n$/,
  ],
])('%s', (_, options, code, stderr) => {
  const program = join(import.meta.dirname, 'numbers.ts');
  const run = spawnSync(process.execPath, [...options, '--import', module, program], { encoding: 'utf8' });
  expect(run.stderr).toMatch(stderr);
  expect(run.status).toBe(code);
});
