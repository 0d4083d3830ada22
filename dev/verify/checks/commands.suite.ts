import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';

const cwd = mkdtempSync(join(tmpdir(), 'flagwire-commands-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Commands of package.json: those of ours that are no checks. Artillery has its own help. */
const commands = Object.entries<string>(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')).scripts)
  .filter(([script]) => !/^(check|test|artillery$)/.test(script))
  .flatMap(([script, line]) => {
    const [, main] = /([\w/]+[.]ts)$/.exec(line) ?? [];
    return main ? [[script, main] as const] : [];
  });

function run(main: string, argument: string) {
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', join(repositoryRoot, main), argument], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { stdout, status };
}

test.each(commands)('npm run %s has help, refuses what it does not know, and starts nothing for either', (_, main) => {
  const help = run(main, '--help');
  expect(help.stdout).toMatch(/^Usage: npm (run [\w:]+|start) --/);
  expect(help.status).toBe(0);
  const unknown = run(main, '--no-such-option');
  expect(unknown.stdout).toBe('');
  expect(unknown.status).toBe(2);
  expect(readdirSync(cwd)).toEqual([]);
});
