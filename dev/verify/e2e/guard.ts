import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';

/**
 * `node guard.ts <log file> <directory> <command> [argument…]`: runs a command in a directory, neither of which must
 * outlive the process that started this one.
 *
 * The command and everything it starts form a process group, which is killed as soon as this process's standard input ends
 * (as it does when the starter ends, however that came about) or a signal comes. Then the directory is removed. The exit
 * code is that of the command.
 */
const [logFile = '', directory = '', command = '', ...args] = process.argv.slice(2);
const log = openSync(logFile, 'a');
const child = spawn(command, args, { cwd: directory, detached: true, stdio: ['ignore', log, log] });
closeSync(log);

child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => {
  killGroup();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code ?? 1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, killGroup);
process.stdin.on('end', killGroup).resume();

function killGroup(): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
