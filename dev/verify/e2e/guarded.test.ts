import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import { describeWith } from '../../support/jest/describeWith.ts';
import { program } from '../../support/requirement.ts';
import { GUARD } from './guarded.ts';

let directory: string;
let workplace: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-guard-'));
  workplace = join(directory, 'workplace');
  mkdirSync(workplace);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a shell script under the guard. */
function guarded(script: string): ChildProcess {
  const args = ['-c', GUARD, 'guard', join(directory, 'log'), 'sh', '-c', script];
  return spawn('bash', args, { cwd: workplace, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** The process ids that the script has written down, once there are two. */
async function writtenIds(): Promise<number[]> {
  const read = () => readFileSync(join(directory, 'log'), { encoding: 'utf8', flag: 'a+' }).trim().split('\n');
  return (await until(read, (lines) => lines.length === 2)).map(Number);
}

const isRunning = (id: number) => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' });
  // A killed process that nobody has waited for yet is listed as a zombie.
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

const describeWithPs = await describeWith(program('ps'));
describeWithPs('processes', () => {
  test.each([
    ['its starter ends', (guard: ChildProcess) => guard.stdin?.destroy()],
    ['a signal comes', (guard: ChildProcess) => guard.kill('SIGTERM')],
  ])('the command and what it has started end when %s', async (_name, end) => {
    const guard = guarded('echo x > file; sleep 60 & echo $$; echo $!; wait');
    const ids = await writtenIds();
    expect(ids.map(isRunning)).toEqual([true, true]);
    const exit = once(guard, 'exit');
    end(guard);
    await exit;
    await until(
      () => ids.some(isRunning),
      (some) => !some,
    );
    expect(existsSync(workplace)).toBe(false);
  });
});

test('it ends as its command does, and keeps what that said', async () => {
  const [code] = await once(guarded('echo said; exit 3'), 'exit');
  expect(code).toBe(3);
  expect(readFileSync(join(directory, 'log'), 'utf8')).toBe('said\n');
});
